import type { Log } from '@tripline/kit/telemetry/log'
import type { AccountUpdate, FillUpdate } from '../../../domain/account/view.ts'
import type { AccountListener, StreamSubscription } from '../../account/account-listener.ts'
import { withDeadline } from '../../http/with-deadline.ts'
import type { AskFrame, Frame } from './socket-requests.ts'

/** A private stream's report on an account besides its orders. */
export type TopicUpdate = { account: AccountUpdate } | { fill: FillUpdate } | 'settings'

/** The topics of an account, and how they are read. */
export interface AccountTopics {
  /** Topics that are subscribed to together. */
  subscriptions: readonly (readonly string[])[]
  /** Returns the reports in a message; none for one of any other topic. Throws where it cannot be read. */
  read: (message: Frame) => readonly TopicUpdate[]
}

/** The account's part of a private stream: there while it has subscribers. */
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

const answerMs = 10_000

/** A feed without subscribers yet. */
export function createAccountFeed({ topics, hold, link, log }: AccountFeedOptions): AccountFeed {
  const listeners = new Set<AccountListener>()
  // Set while a connection is live.
  let ask: AskFrame | undefined
  // `asked`: the present connection was asked to report; `live`: it does.
  let subscribed: 'no' | 'requested' | 'live' = 'no'
  const publish = (act: (listener: AccountListener) => void): void => {
    for (const listener of listeners) act(listener)
  }
  /** Has the connection report the account. A key that may not receive that follows its orders all the same. */
  const subscribeTopics = async (): Promise<void> => {
    const asking = ask
    if (asking === undefined || listeners.size === 0 || subscribed !== 'no') return
    subscribed = 'requested'
    try {
      for (const args of topics.subscriptions) {
        await withDeadline(asking({ op: 'subscribe', args }), answerMs)
        if (ask !== asking) return
      }
      subscribed = 'live'
      publish(({ onLive }) => onLive())
    } catch {
      log.warn('the private stream does not report the account')
    }
  }
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      if (subscribed === 'live') listener.onLive()
      const release = hold()
      void subscribeTopics()
      return {
        ...link,
        stop: () => {
          listeners.delete(listener)
          release()
        },
      }
    },
    up: (asking) => {
      ask = asking
      void subscribeTopics()
    },
    down: () => {
      const wasLive = subscribed === 'live'
      ask = undefined
      subscribed = 'no'
      if (wasLive) publish(({ onDown }) => onDown())
    },
    receive: (message) => {
      if (subscribed !== 'live' || listeners.size === 0) return
      try {
        for (const update of topics.read(message)) publish((listener) => pass(update, listener))
      } catch {
        log.warn({ topic: message.topic }, 'private stream reported something unreadable')
        // The change itself is to be read.
        publish(({ onLive }) => onLive())
      }
    },
  }
}

function pass(update: TopicUpdate, listener: AccountListener): void {
  if (update === 'settings') listener.onSettings()
  else if ('account' in update) listener.onAccount(update.account)
  else listener.onFill(update.fill)
}
