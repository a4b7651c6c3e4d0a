import { describe, expect, it } from 'vitest'
import { Histogram, Numbers } from './metrics.ts'

describe('exposition', () => {
  it('writes help, type, and one line for each combination of labels', () => {
    const requests = new Numbers('counter', { name: 'requests_total', help: 'All\nof them.', labels: ['verb', 'code'] })
    requests.child('get', '200').add()
    requests.child('get', '200').add(2)
    requests.child('list', '500').add()
    expect(requests.render()).toBe(
      [
        '# HELP requests_total All\\nof them.',
        '# TYPE requests_total counter',
        'requests_total{verb="get",code="200"} 3',
        'requests_total{verb="list",code="500"} 1',
        '',
      ].join('\n'),
    )
  })

  it('shows a metric without labels even before it is counted', () => {
    expect(new Numbers('gauge', { name: 'open', help: 'x' }).render()).toMatch(/^open 0$/m)
  })

  it('asks for a value whenever it is shown', () => {
    const metric = new Numbers('gauge', { name: 'depth', help: 'x', labels: ['kind'] })
    let depth = 3
    metric.child('Site').ask(() => depth)
    expect(metric.render()).toContain('depth{kind="Site"} 3\n')
    depth = 0
    expect(metric.render()).toContain('depth{kind="Site"} 0\n')
  })

  it('escapes label values', () => {
    const metric = new Numbers('gauge', { name: 'g', help: 'x', labels: ['reason'] })
    metric.child('a"b\\c\nd').set(-1.5)
    expect(metric.render()).toContain('g{reason="a\\"b\\\\c\\nd"} -1.5\n')
  })

  it('sums histogram buckets up, each including the smaller ones', () => {
    const seconds = new Histogram({ name: 's', help: 'x', labels: ['verb'], bounds: [0.1, 1] })
    for (const value of [0.05, 0.1, 0.5, 3]) seconds.child('get').observe(value)
    expect(seconds.render().split('\n').slice(2)).toEqual([
      's_bucket{verb="get",le="0.1"} 2',
      's_bucket{verb="get",le="1"} 3',
      's_bucket{verb="get",le="+Inf"} 4',
      's_sum{verb="get"} 3.65',
      's_count{verb="get"} 4',
      '',
    ])
  })
})

describe('limits', () => {
  it('counts what is beyond the limit of children as other', () => {
    const metric = new Numbers('counter', { name: 'm', help: 'x', labels: ['a', 'b'], maxChildren: 2 })
    for (const value of ['1', '2', '3', '4']) metric.child(value, 'x').add()
    metric.child('1', 'x').add()
    expect(metric.render().split('\n').slice(2, -1)).toEqual([
      'm{a="1",b="x"} 2',
      'm{a="2",b="x"} 1',
      'm{a="other",b="other"} 2',
    ])
  })

  it('refuses a child with too few or too many labels', () => {
    const metric = new Numbers('counter', { name: 'm', help: 'x', labels: ['a'] })
    expect(() => metric.child()).toThrow('metric m has 1 labels, not 0')
    expect(() => metric.child('1', '2')).toThrow('not 2')
  })
})
