// The options of `up` about webhooks. Part of the option table.

import { isIP } from 'node:net'
import { option } from './option.ts'
import { choice, list, type ValueType } from './value-type.ts'

export const webhookOptions = {
  'admission-webhooks': option(
    choice('on', 'off'),
    'on',
    'Off calls no admission webhooks: for when one has locked everybody out.',
    { env: 'HOMEOSTAT_ADMISSION_WEBHOOKS' },
  ),
  'webhook-allow-address': option(
    networks(),
    undefined,
    'Address or network that webhooks may have although it is link-local or of a metadata service. May be repeated.',
    { env: 'HOMEOSTAT_WEBHOOK_ALLOW_ADDRESS' },
  ),
  'webhook-service': option(
    services(),
    undefined,
    'Where webhooks of a Service are reached, such as shop/hooks=127.0.0.1:9443. Default: at its endpoints. May be repeated.',
    { env: 'HOMEOSTAT_WEBHOOK_SERVICE' },
  ),
} as const

/** IP addresses and networks. */
function networks(): ValueType<readonly string[]> {
  return checked('ADDRESS', 'must be an IP address or a network such as 169.254.10.0/24', (value) => {
    const [, address = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(value) ?? []
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    return Number(bits) <= most
  })
}

function services(): ValueType<readonly string[]> {
  return checked('NAMESPACE/NAME=HOST:PORT', 'must be like shop/hooks=127.0.0.1:9443', (value) => {
    const port = /^[a-z0-9-]+\/[a-z0-9.-]+=(?:\[[0-9a-fA-F:.]+\]|[^\s:/[\]]+):(\d{1,5})$/.exec(value)?.[1]
    return port !== undefined && Number(port) > 0 && Number(port) < 65_536
  })
}

function checked(
  placeholder: string,
  problem: string,
  isGood: (value: string) => boolean,
): ValueType<readonly string[]> {
  const all = list(placeholder)
  return {
    ...all,
    parse: (texts) => {
      const values = all.parse(texts)
      for (const value of values) if (!isGood(value)) throw new Error(problem)
      return values
    },
  }
}
