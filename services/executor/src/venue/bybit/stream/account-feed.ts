import type { Log } from '@tripline/kit/telemetry/log'
import type { AccountNews, FillNews } from '../../../domain/account/view.ts'
import type { AccountListener, StreamSubscription } from '../../account/account-listener.ts'
import { withDeadline } from '../../http/with-deadline.ts'
import type { AskFrame, Frame } from './socket-requests.ts'

/** A private stream's report on an account besides its orders. */
export type AccountUpdate = { news: AccountNews } | { fill: FillNews } | 'settings'

/** The topics of an account, and how they are read. */
export interface AccountTopics {
  /** Topics that are subscribed to together. */
  subscriptions: readonly (readonly string[])[]
  /** Returns the reports in a message; none for one of any other topic. Throws where it cannot be read. */
  read: (message: Frame) => readonly AccountUpdate[]
}

/** The account's part of a private stream: there while somebody subscribes to it. */
export interface AccountFeed {
  subscribe: (listener: AccountListener) => StreamSubscription
  /** A connection is live, over which topics can be subscribed to. */
  up: (ask: AskFrame) => void
  down: () => void
  receive: (message: Frame) => void
}

export interface AccountFeedOptions {
  topics: AccountTopics
  /** Has the stream there, until that is stopped. */
  hold: () => () => void
  /** The part of a subscription that shows that the connection is there, and has it made anew. */
  link: Pick<StreamSubscription, 'ping' | 'verifiedUntil' | 'renew'>
  log: Log
}

interface AccountFeedState {
  options: AccountFeedOptions
  listeners: Set<AccountListener>
  /** Set while a connection is live. */
  ask: AskFrame | undefined
  /** `asked`: the present connection was asked to report; `live`: it does. */
  telling: 'no' | 'asked' | 'live'
}

/** A feed that nobody subscribes to yet. */
export function createAccountFeed(options: AccountFeedOptions): AccountFeed {
  const state: AccountFeedState = { options, listeners: new Set(), ask: undefined, telling: 'no' }
  return {
    subscribe: (listener) => subscribe(state, listener),
    up: (ask) => {
      state.ask = ask
      void subscribeTopics(state)
    },
    down: () => goDown(state),
    receive: (message) => receive(state, message),
  }
}

function subscribe(state: AccountFeedState, listener: AccountListener): StreamSubscription {
  const { hold, link } = state.options
  state.listeners.add(listener)
  if (state.telling === 'live') listener.onLive()
  const release = hold()
  void subscribeTopics(state)
  return {
    ...link,
    stop: () => {
      state.listeners.delete(listener)
      release()
    },
  }
}

const answerMs = 10_000

/** Has the connection report the account. A key that may not receive that follows its orders all the same. */
async function subscribeTopics(state: AccountFeedState): Promise<void> {
  const { ask, listeners, telling } = state
  if (ask === undefined || listeners.size === 0 || telling !== 'no') return
  state.telling = 'asked'
  try {
    for (const args of state.options.topics.subscriptions) {
      await withDeadline(ask({ op: 'subscribe', args }), answerMs)
      if (state.ask !== ask) return
    }
    state.telling = 'live'
    publish(state, ({ onLive }) => onLive())
  } catch {
    state.options.log.warn('the private stream does not report the account')
  }
}

function goDown(state: AccountFeedState): void {
  const wasLive = state.telling === 'live'
  state.ask = undefined
  state.telling = 'no'
  if (wasLive) publish(state, ({ onDown }) => onDown())
}

function receive(state: AccountFeedState, message: Frame): void {
  if (state.telling !== 'live' || state.listeners.size === 0) return
  try {
    for (const update of state.options.topics.read(message))
      publish(state, (listener) => pass(update, listener))
  } catch {
    state.options.log.warn({ topic: message.topic }, 'private stream reported something unreadable')
    // The change itself is to be read.
    publish(state, ({ onLive }) => onLive())
  }
}

function pass(update: AccountUpdate, listener: AccountListener): void {
  if (update === 'settings') listener.onSettings()
  else if ('news' in update) listener.onNews(update.news)
  else listener.onFill(update.fill)
}

function publish({ listeners }: AccountFeedState, act: (listener: AccountListener) => void): void {
  for (const listener of listeners) act(listener)
}
