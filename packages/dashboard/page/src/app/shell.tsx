// What is around every screen: where one can go, the namespace, whether the server answers, who one is.

import { Link, Outlet, useLocation, useRouteContext } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { reach } from '../connection/reachable.ts'
import { readOnly } from '../connection/read-only.ts'
import { servedKinds } from '../kinds/served-kinds.ts'
import { useShown } from '../live/shown.ts'
import { Age } from '../parts/age.tsx'
import { Badge } from '../parts/badge.tsx'
import icon from './icon.svg'
import { Keys } from './keys/keys.tsx'
import { openByButton } from './keys/open.ts'
import { KindList } from './kind-list.tsx'
import { NamespaceChoice } from './namespace-choice.tsx'
import { OptionsMenu } from './options-menu.tsx'
import { PLACES } from './places.ts'

export function Shell() {
  const { lostSince } = useShown(reach)
  const kinds = useShown(servedKinds)
  const locked = useShown(readOnly)
  const [menu, setMenu] = useState(false)
  const { user } = useRouteContext({ from: '__root__' })
  const path = useLocation({ select: ({ pathname }) => pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the menu lies over the screen that was chosen in it
  useEffect(() => setMenu(false), [path])
  return (
    <div className="shell" data-menu={menu ? 'open' : undefined}>
      <a className="skip" href="#screen">
        Skip to the content
      </a>
      <header>
        <Link to="/" className="brand" aria-label="Homeostat" search={keepNamespace}>
          <img src={icon} alt="" />
          <span className="brand-name">Homeostat</span>
        </Link>
        <button type="button" className="menu" aria-expanded={menu} onClick={() => setMenu(!menu)}>
          Menu
        </button>
        <NamespaceChoice />
        <span className="space" />
        {locked && <Badge health="busy">read-only</Badge>}
        <button type="button" className="find" aria-keyshortcuts="Control+K" onClick={() => openByButton('palette')}>
          Find <kbd>Ctrl K</kbd>
        </button>
        <OptionsMenu />
        <span className="user" title="Who you are for the server">
          {user}
        </span>
      </header>
      {lostSince !== undefined && (
        <div role="alert" className="lost">
          The server has not answered since <Age time={lostSince} />. What is shown may be old; the page tries again by
          itself.
        </div>
      )}
      <nav aria-label="Screens and kinds">
        <ul>
          {PLACES.filter(({ ofColony }) => !ofColony || kinds?.has('colonies.io', 'processes')).map(({ title, to }) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: true, includeSearch: false }} search={keepNamespace}>
                {title}
              </Link>
            </li>
          ))}
        </ul>
        {kinds !== undefined && <KindList kinds={kinds} />}
      </nav>
      <main id="screen" tabIndex={-1}>
        <Outlet />
      </main>
      <Keys />
    </div>
  )
}

function keepNamespace({ ns }: { ns?: string | undefined }): { ns?: string } {
  return ns === undefined ? {} : { ns }
}
