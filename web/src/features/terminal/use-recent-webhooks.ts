import { nanoid } from '@reduxjs/toolkit'
import { useState } from 'react'
import { storageKeys } from '../../shared/storage-keys.ts'
import { readRecentWebhooks, withRecentWebhook } from './recent-webhooks.ts'

/** The messages executed last from this browser, and how to add one. */
export function useRecentWebhooks() {
  const [webhooks, setWebhooks] = useState(readStored)
  function remember(message: string) {
    // Read again, since another tab may have added to it.
    const newest = { id: nanoid(), message, timestamp: new Date().toISOString() }
    const list = withRecentWebhook(readStored(), newest)
    localStorage.setItem(storageKeys.recentWebhooks, JSON.stringify(list))
    setWebhooks(list)
  }
  return { webhooks, remember }
}

function readStored() {
  return readRecentWebhooks(localStorage.getItem(storageKeys.recentWebhooks))
}
