import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from '@jest/globals'
import { describeWay, wayOf } from './alert-way.ts'

const executed = {
  total_ms: 10,
  read_ms: 1,
  queue_ms: 2,
  check_ms: 0.5,
  plan_ms: 0.5,
  venue_ms: 4,
  settle_ms: 1,
}

describe('the way of an alert', () => {
  test('goes from the receipt to the answer, each stage where the one before ended', () => {
    const way = wayOf(executed)
    expect(way.map(({ name, endedMs }) => [name, endedMs])).toEqual([
      ['receive', 0],
      ['read', 1],
      ['durable', 3],
      ['check', 3.5],
      ['plan', 4],
      ['venue', 8],
      ['settle', 9],
      ['answer', 10],
    ])
    expect(way.reduce((sum, { tookMs }) => sum + tookMs, 0)).toBe(executed.total_ms)
  })

  test('leaves out steps that did not happen', () => {
    const names = wayOf({ total_ms: 3, read_ms: 1 }).map(({ name }) => name)
    expect(names).toEqual(['receive', 'read', 'answer'])
  })

  test('never runs backwards, however the clocks of two machines differ', () => {
    const way = wayOf({ ...executed, total_ms: 1 })
    expect(way.every(({ tookMs }) => tookMs >= 0)).toBe(true)
  })
})

describe('its description', () => {
  const plain = (withBars: boolean): string[] =>
    stripVTControlCharacters(describeWay(wayOf(executed), withBars)).split('\n')

  test('is aligned text where nobody looks at a terminal', () => {
    const [header, ...lines] = plain(false)
    expect(header).toBe('     at ms   took ms')
    expect(lines[2]).toBe(
      '      3.00      2.00  durable  the stream has it for good, and the executor has taken it',
    )
    expect(lines.join('')).not.toContain('█')
  })

  test('shows each stage as its part of the whole on a terminal', () => {
    const bars = plain(true)
      .slice(1)
      .map((line) => line.slice(22, 46))
    expect(bars[1]).toBe(`${'█'.repeat(2)}${' '.repeat(22)}`)
    expect(bars[5]).toBe(`${' '.repeat(10)}${'█'.repeat(9)}${' '.repeat(5)}`)
    expect(bars.every((bar) => bar.length === 24)).toBe(true)
  })
})
