// What happened when, one below the other: bars over one axis of time. It grows while something is open.

import { useNow } from '../age.tsx'
import { barsOf, lastedText, type Span } from './waterfall.ts'
import './waterfall.css'

export function Waterfall({ spans, label }: { readonly spans: readonly Span[]; readonly label: string }) {
  const now = useNow()
  return (
    <ol className="waterfall" aria-label={label}>
      {barsOf(spans, now).map(({ key, label, left, width, lasted, look, detail, to }) => (
        <li key={key}>
          <span className="what" title={label}>
            {label}
          </span>
          <span className="track">
            <span
              className={`bar ${look}${to === undefined ? ' open' : ''}`}
              style={{ left: `${left}%`, width: `${width}%` }}
            />
          </span>
          <span className="lasted">{lastedText(lasted)}</span>
          {detail !== undefined && detail !== '' && <span className={`detail ${look}`}>{detail}</span>}
        </li>
      ))}
    </ol>
  )
}
