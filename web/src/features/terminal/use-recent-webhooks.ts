import { nanoid } from '@reduxjs/toolkit'
import { useState } from 'react'
import { storageKeys } from '../../shared/storage-keys.ts'
import { storeText } from '../../shared/store-text.ts'
import {
  type RecentWebhook,
  readRecentWebhooks,
  withoutWebhook,
  withPin,
  withRecentWebhook,
} from './recent-webhooks.ts'

/** The messages executed last from this browser, and what can be done with them. */
export interface RecentWebhookList {
  webhooks: readonly RecentWebhook[]
  remember: (message: string) => void
  pin: (id: string, pinned: boolean) => void
  remove: (id: string) => void
}

/** The messages executed last from this browser. */
export function useRecentWebhooks(): RecentWebhookList {
  const [webhooks, setWebhooks] = useState(readStored)
  function change(next: (list: readonly RecentWebhook[]) => RecentWebhook[]) {
    // Read again, since another tab may have changed it.
    const list = next(readStored())
    // One that cannot be stored is there for as long as the screen is; it must not keep the message from being sent.
    storeText(localStorage, storageKeys.recentWebhooks, JSON.stringify(list))
    setWebhooks(list)
  }
  function remember(message: string) {
    const newest = { id: nanoid(), message, timestamp: new Date().toISOString() }
    change((list) => withRecentWebhook(list, newest))
  }
  return {
    webhooks,
    remember,
    pin: (id, pinned) => change((list) => withPin(list, id, pinned)),
    remove: (id) => change((list) => withoutWebhook(list, id)),
  }
}

function readStored() {
  return readRecentWebhooks(localStorage.getItem(storageKeys.recentWebhooks))
}
