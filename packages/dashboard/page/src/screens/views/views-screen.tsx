// The saved views, and those of a link that asks to be imported.

import { getRouteApi } from '@tanstack/react-router'
import { useShown } from '../../live/shown.ts'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy-text.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Panel } from '../../parts/panel.tsx'
import { forgetView, savedViews, saveView } from '../../parts/views/saved-views.ts'
import { type SavedView, viewsInAddress, viewsOfAddress } from '../../parts/views/view-list.ts'

const route = getRouteApi('/views')

export function ViewsScreen() {
  const { add } = route.useSearch()
  const navigate = route.useNavigate()
  const views = useShown(savedViews)
  const offered = viewsOfAddress(add)
  const done = () => void navigate({ search: {}, replace: true })
  return (
    <div className="screen">
      <div className="screen-head">
        <h1>Saved views</h1>
      </div>
      {add !== undefined && (
        <Panel title={`The link brings ${offered.length} ${offered.length === 1 ? 'view' : 'views'}`} flush>
          <ViewTable views={offered} />
          <div className="toolbar body">
            <Button
              look="main"
              whyNot={offered.length === 0 ? 'There is no view in the link.' : undefined}
              onPress={() => {
                for (const view of offered) saveView(view)
                done()
              }}
            >
              Keep them
            </Button>
            <Button onPress={done}>Leave them</Button>
            <span className="quiet">Views of the same name are replaced.</span>
          </div>
        </Panel>
      )}
      {views.length === 0 ? (
        <Empty title="No view is saved yet">
          <span>
            A table with its filters, order and columns can be kept under a name: “Save view” above the table.
          </span>
        </Empty>
      ) : (
        <>
          <Panel title="In this browser" flush>
            <ViewTable views={views} onForget={forgetView} />
          </Panel>
          <Panel title="For others">
            <CopyText
              label="Copy the link"
              text={`${location.origin}/ui/views?add=${encodeURIComponent(viewsInAddress(views))}`}
            />
          </Panel>
        </>
      )}
    </div>
  )
}

interface ViewTableProps {
  readonly views: readonly SavedView[]
  readonly onForget?: (name: string) => void
}

function ViewTable({ views, onForget }: ViewTableProps) {
  return (
    <table>
      <thead>
        <tr>
          <th>Name</th>
          <th>Address</th>
          {onForget && <th>Forget</th>}
        </tr>
      </thead>
      <tbody>
        {views.map(({ name, path }) => (
          <tr key={name}>
            <td>
              <a href={`/ui${path}`}>{name}</a>
            </td>
            <td className="wide">
              <code>{path}</code>
            </td>
            {onForget && (
              <td>
                <Button look="plain" label={`Forget ${name}`} onPress={() => onForget(name)}>
                  ×
                </Button>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
