// An address that is none of the page's.

import { Link } from '@tanstack/react-router'
import { Empty } from '../parts/empty.tsx'

export function NotFound() {
  return (
    <Empty title="There is nothing at this address.">
      <Link to="/" className="button">
        To the overview
      </Link>
    </Empty>
  )
}
