import { expect, it } from 'vitest'
import { webhookOptions } from './webhook-options.ts'

const { type: networks } = webhookOptions['webhook-allow-address']
const { type: services } = webhookOptions['webhook-service']

it('addresses and networks are read, and others are refused', () => {
  const good = ['169.254.169.254', '169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254']
  expect(networks.parse([good.join(',')])).toEqual(good)
  for (const wrong of ['x', '1.2.3.4/33', 'fe80::/129', '1.2.3.4/', '/8'])
    expect(() => networks.parse([wrong]), wrong).toThrow('must be an IP address')
})

it('services are read with their addresses, and others are refused', () => {
  const good = ['shop/hooks=127.0.0.1:9443', 'a/b=host.example:1', 'a/b=[::1]:65535']
  expect(services.parse(good)).toEqual(good)
  for (const wrong of ['hooks=a:1', 'a/b=c', 'a/b=c:0', 'a/b=c:65536', 'a/b=::1:1', 'a/b='])
    expect(() => services.parse([wrong]), wrong).toThrow('must be like')
})
