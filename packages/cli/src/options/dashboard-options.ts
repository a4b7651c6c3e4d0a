// Options of `homeostat dashboard`. A part of the table in option-table.ts.

import { option } from './option.ts'
import { flag, integer } from './value-type.ts'

export const dashboardOptions = {
  'dashboard-port': option(integer('PORT', 0, 65535), '3080', 'Port of 127.0.0.1; 0 picks a free one.', {
    flag: 'port',
  }),
  'read-only': option(flag, undefined, 'Refuses every request of the page that could change something.'),
}
