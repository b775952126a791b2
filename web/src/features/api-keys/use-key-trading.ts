import { useGetKeyTradingQuery } from '../../shared/client.ts'

const askEveryMs = 60_000

/** Returns a key's present trading: it may be changed in another tab or on another device. */
export function useKeyTrading(id: string) {
  const { data, error, isFetching, refetch } = useGetKeyTradingQuery(id, {
    pollingInterval: askEveryMs,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnReconnect: true,
  })
  return { trading: data, error, isAsking: isFetching, askAgain: () => void refetch() }
}
