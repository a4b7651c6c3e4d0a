// What a server without custom objects shows: commands to paste.

import { CopyText } from '../../parts/copy-text.tsx'

const STEPS = [
  {
    title: 'Declare a kind',
    text: 'A CustomResourceDefinition makes the server serve a kind of yours.',
    command: 'npm create homeostat@latest my-operator',
  },
  {
    title: 'Run its operator beside this server',
    text: 'It installs the kind, applies the examples and starts again when you save.',
    command: 'cd my-operator && npx homeostat dev',
  },
  {
    title: 'Or submit work',
    text: 'A Process waits in the queue until an executor takes it.',
    command: 'homeostat submit --executor-type cli --func echo --namespace default',
  },
]

export function FirstSteps() {
  return (
    <div className="screen">
      <h1>Nothing is here yet</h1>
      <p className="quiet">Three ways to begin. What you make shows here at once.</p>
      <ol className="steps">
        {STEPS.map(({ title, text, command }) => (
          <li key={title} className="panel">
            <h2>{title}</h2>
            <p className="quiet">{text}</p>
            <div>
              <CopyText text={command} />
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}
