import { describe, expect, test } from '@jest/globals'
import {
  botLinked,
  botOffered,
  botSelected,
  carriedNamed,
  mainnetAllowed,
  messageCarried,
  messageChanged,
  quickActionChosen,
  selectAsksForMainnet,
  selectCarried,
  selectLabel,
  selectMessage,
  terminalSlice,
} from './terminal-slice.ts'

type Action = Parameters<typeof terminalSlice.reducer>[1]

/** The terminal after these. */
function after(...actions: Action[]) {
  return { terminal: actions.reduce(terminalSlice.reducer, terminalSlice.getInitialState()) }
}

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'

describe('a message that another screen brought along', () => {
  test('waits for its bot to be known, while it is edited', () => {
    const edited = [messageCarried({ message }), messageChanged(`${message}\n`)]
    expect(selectCarried(after(...edited))).toBe(message)
    const named = after(...edited, carriedNamed('MyBot'))
    expect([selectMessage(named), selectLabel(named)]).toEqual([`${message}\n`, 'MyBot'])
    expect(selectCarried(named)).toBeNull()
  })

  test('leaves the selected bot as it is where it names none', () => {
    const selected = botSelected({ label: 'Other', message: '' })
    expect(selectLabel(after(selected, messageCarried({ message }), carriedNamed(undefined)))).toBe('Other')
  })

  test('is asked about before real money as a Quick Action is, if it is one', () => {
    const quick = messageCarried({ message, isQuickAction: true })
    expect(selectAsksForMainnet(after(messageCarried({ message })))).toBe(false)
    expect(selectAsksForMainnet(after(quick))).toBe(true)
    expect(selectAsksForMainnet(after(quick, carriedNamed('MyBot')))).toBe(true)
    expect(selectAsksForMainnet(after(quick, messageChanged(`${message} `)))).toBe(false)
    expect(selectAsksForMainnet(after(quick, mainnetAllowed()))).toBe(false)
  })
})

describe('a bot that is offered', () => {
  const [broken, working] = [botOffered('Broken'), botOffered('Working')]

  test('is selected until the person selects one', () => {
    expect(selectLabel(after(broken, working))).toBe('Working')
    expect(selectLabel(after(working, botOffered(null)))).toBeNull()
    expect(selectLabel(after(messageCarried({ message }), carriedNamed(undefined), working))).toBe('Working')
  })

  test.each([
    ['selects one', botSelected({ label: 'Mine', message: '' })],
    ['adds one', botLinked({ label: 'Mine', message: '' })],
    ['brings a message for one', carriedNamed('Mine')],
  ])('is not selected once the person %s', (_name, act) => {
    expect(selectLabel(after(broken, act, working))).toBe('Mine')
  })

  test('stays once a Quick Action is written for it', () => {
    expect(selectLabel(after(broken, quickActionChosen(message), working))).toBe('Broken')
  })
})

describe('a bot that is linked', () => {
  const linked = botLinked({ label: 'New', message: 'New(BTCUSDT) { }' })

  test.each([
    ['nothing', []],
    ['a template', [botSelected({ label: 'MyBot', message: 'MyBot(BTCUSDT) { }' })]],
  ])('starts a message for it where there is %s', (_name, before) => {
    const state = after(...before, linked)
    expect([selectLabel(state), selectMessage(state)]).toEqual(['New', 'New(BTCUSDT) { }'])
  })

  test('leaves the text of the user', () => {
    const state = after(messageChanged(message), linked)
    expect([selectLabel(state), selectMessage(state)]).toEqual(['New', message])
  })
})
