// Brings Widgets to a server that is started by the command line.

import { widgetDefinition } from '../widgets.ts'

export default { name: 'widgets', definitions: [widgetDefinition] }
