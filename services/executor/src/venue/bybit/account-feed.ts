import type { Log } from '@tripline/kit/log'
import type { AccountNews, FillNews } from '../../domain/account-view.ts'
import type { AccountEars, Attendance } from '../account-view/account-ears.ts'
import { withDeadline } from '../with-deadline.ts'
import type { AskFrame, Frame } from './talk.ts'

/** What a private stream tells of an account besides its orders. */
export type Told = { news: AccountNews } | { fill: FillNews } | 'settings'

/** The topics of an account, and how they are read. */
export interface AccountTopics {
  /** What is subscribed to together. */
  subscriptions: readonly (readonly string[])[]
  /** What a message tells; nothing in one of any other topic. Throws where it cannot be read. */
  read: (message: Frame) => readonly Told[]
}

/** The account's part of a private stream: there while somebody attends it. */
export interface AccountFeed {
  attend: (ears: AccountEars) => Attendance
  /** A connection is live, over which topics can be subscribed to. */
  up: (ask: AskFrame) => void
  down: () => void
  hear: (message: Frame) => void
}

export interface AccountFeedOptions {
  topics: AccountTopics
  /** Has the stream there, until that is stopped. */
  hold: () => () => void
  /** What shows that the connection is there, and has it made anew. */
  link: Pick<Attendance, 'probe' | 'provenAt' | 'renew'>
  log: Log
}

interface State {
  options: AccountFeedOptions
  ears: Set<AccountEars>
  /** Set while a connection is live. */
  ask: AskFrame | undefined
  /** `asked`: the present connection was asked to tell; `live`: it does. */
  telling: 'no' | 'asked' | 'live'
}

/** A feed that nobody attends yet. */
export function createAccountFeed(options: AccountFeedOptions): AccountFeed {
  const state: State = { options, ears: new Set(), ask: undefined, telling: 'no' }
  return {
    attend: (ears) => attend(state, ears),
    up: (ask) => {
      state.ask = ask
      void subscribe(state)
    },
    down: () => goDown(state),
    hear: (message) => hear(state, message),
  }
}

function attend(state: State, ears: AccountEars): Attendance {
  const { hold, link } = state.options
  state.ears.add(ears)
  if (state.telling === 'live') ears.onLive()
  const release = hold()
  void subscribe(state)
  return {
    ...link,
    stop: () => {
      state.ears.delete(ears)
      release()
    },
  }
}

const answerMs = 10_000

/** Has the connection tell of the account. A key that may not hear that follows its orders all the same. */
async function subscribe(state: State): Promise<void> {
  const { ask, ears, telling } = state
  if (ask === undefined || ears.size === 0 || telling !== 'no') return
  state.telling = 'asked'
  try {
    for (const args of state.options.topics.subscriptions) {
      await withDeadline(ask({ op: 'subscribe', args }), answerMs)
      if (state.ask !== ask) return
    }
    state.telling = 'live'
    tell(state, ({ onLive }) => onLive())
  } catch {
    state.options.log.warn('the private stream does not tell of the account')
  }
}

function goDown(state: State): void {
  const wasLive = state.telling === 'live'
  state.ask = undefined
  state.telling = 'no'
  if (wasLive) tell(state, ({ onDown }) => onDown())
}

function hear(state: State, message: Frame): void {
  if (state.telling !== 'live' || state.ears.size === 0) return
  try {
    for (const told of state.options.topics.read(message)) tell(state, (ears) => pass(told, ears))
  } catch {
    state.options.log.warn({ topic: message.topic }, 'private stream told something unreadable')
    // What it was is to be read.
    tell(state, ({ onLive }) => onLive())
  }
}

function pass(told: Told, ears: AccountEars): void {
  if (told === 'settings') ears.onSettings()
  else if ('news' in told) ears.onNews(told.news)
  else ears.onFill(told.fill)
}

function tell({ ears }: State, act: (one: AccountEars) => void): void {
  for (const one of ears) act(one)
}
