import { describe, expect, test } from '@jest/globals'
import { diagnosticCodes } from '@tripline/proto/error-code'
import { diagnosticHelp, refusalHelp } from './code-help.ts'
import { explainError } from './error-help.ts'

describe('the help', () => {
  test('has a cause and a next step, as sentences, for every diagnostic and every refusal of an alert', () => {
    expect(Object.keys(diagnosticHelp)).toEqual(Object.keys(diagnosticCodes))
    for (const { cause, next } of Object.values({ ...diagnosticHelp, ...refusalHelp })) {
      expect(cause).toMatch(/^[A-Z].*\.$/)
      expect(next).toMatch(/^[A-Z].*\.$/)
    }
  })

  test('goes by the number of the exchange where that says more, and keeps its words apart', () => {
    const detail = 'The exchange refused: Margin is insufficient. (-2019)'
    const explained = explainError('E506', detail, 'binance_futures_usdt')
    expect(explained).toMatchObject({ code: 'E506', raw: { text: 'Margin is insufficient.', number: -2019 } })
    expect(explained.cause).toContain('margin')
  })

  test('reads the same number by the exchange that said it', () => {
    const detail = 'The exchange refused: nope (-2015)'
    expect(explainError('E406', detail, 'bybit_spot').cause).toContain('Bybit')
    expect(explainError('E406', detail, 'paper_futures').cause).toContain('Binance')
  })

  test('does not repeat the code that a message begins with', () => {
    const { detail, title } = explainError('E201', 'E201 unknown bot "x"', null)
    expect([title, detail]).toEqual(['unknown bot', 'unknown bot "x"'])
  })

  test('explains an unknown code by the text that came with it', () => {
    expect(explainError('strange', 'It went wrong', null)).toMatchObject({
      title: 'strange',
      cause: 'It went wrong',
    })
    expect(explainError(null, null, null).title).toBe('failed')
  })
})
