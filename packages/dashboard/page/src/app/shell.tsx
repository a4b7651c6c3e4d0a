// What is around every screen: where one can go, the namespace, whether the server answers, who one is.

import { Link, Outlet, useRouteContext } from '@tanstack/react-router'
import { reach } from '../connection/reachable.ts'
import { servedKinds } from '../kinds/served-kinds.ts'
import { useShown } from '../live/shown.ts'
import { Age } from '../parts/age.tsx'
import { KindList } from './kind-list.tsx'
import { NamespaceChoice } from './namespace-choice.tsx'
import { ThemeChoice } from './theme-choice.tsx'

export function Shell() {
  const { lostSince } = useShown(reach)
  const kinds = useShown(servedKinds)
  const { user } = useRouteContext({ from: '__root__' })
  return (
    <div className="shell">
      <a className="skip" href="#screen">
        Skip to the content
      </a>
      <header>
        <Link to="/" className="brand" search={keepNamespace}>
          Homeostat
        </Link>
        <NamespaceChoice />
        <span className="space" />
        <ThemeChoice />
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
      <nav aria-label="Kinds">
        <Link to="/" activeOptions={{ exact: true, includeSearch: false }} search={keepNamespace}>
          Overview
        </Link>
        {kinds !== undefined && <KindList kinds={kinds} />}
      </nav>
      <main id="screen" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}

function keepNamespace({ ns }: { ns?: string }): { ns?: string } {
  return ns === undefined ? {} : { ns }
}
