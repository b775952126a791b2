import {
  type UpdateKeyTradingApiArg,
  useGetKeyTradingQuery,
  useUpdateKeyTradingMutation,
} from '../../shared/client.ts'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { texts } from './texts.ts'

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

const { trading: words } = texts

/** Changes how a bot may trade, and says how that went. */
export function useTradingChange(id: string) {
  const [update, { isLoading }] = useUpdateKeyTradingMutation()
  const withToast = useCallWithToast()
  const change = (body: UpdateKeyTradingApiArg['body']) => withToast(update({ id, body }).unwrap(), words)
  return { change, isBusy: isLoading }
}
