import { useEffect, useEffectEvent } from 'react'
import { useLiveState } from '../shared/live/use-live.ts'
import { storageKeys } from '../shared/storage-keys.ts'

/** Notifies the other tabs of this browser that the trading state was changed. */
export function noteTradingChange(): void {
  localStorage.setItem(storageKeys.tradingChangedAt, String(Date.now()))
}

/** Asks for the trading state once another tab changed it, and once the live events are back after an outage. */
export function useTradingChanges(ask: () => void): void {
  const askNow = useEffectEvent(ask)
  const isLive = useLiveState().phase === 'live'
  useEffect(() => {
    if (isLive) askNow()
  }, [isLive])
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === storageKeys.tradingChangedAt) askNow()
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [])
}
