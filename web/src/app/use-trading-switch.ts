import type { TradingState } from '@tripline/proto/user-config'
import { useGetTradingStateQuery, useUpdateTradingStateMutation } from '../shared/client.ts'
import { failureText } from '../shared/failure.ts'
import { texts } from '../shared/texts.ts'
import { useToast } from '../ui/toast.ts'
import { askedWhileSeen } from './asked-while-seen.ts'
import { noteTradingChange } from './use-trading-changes.ts'

/** The trading state of all bots together, as it stands now, and how to pause and resume it. */
export function useTradingSwitch() {
  const { data, error, isFetching, refetch } = useGetTradingStateQuery(undefined, askedWhileSeen)
  const [update, { isLoading }] = useUpdateTradingStateMutation()
  const toast = useToast()

  /** Returns whether the server took it. */
  async function change(state: TradingState): Promise<boolean> {
    try {
      await update({ state }).unwrap()
      noteTradingChange()
      toast.success({ title: texts.trading.done[state] })
      return true
    } catch (cause) {
      toast.error({ title: texts.trading.failure, description: failureText(cause) })
      return false
    }
  }
  const state = data?.state
  return {
    state,
    /** The state that the switch leads to; pausing before the state is known, for somebody in a hurry. */
    next: state === undefined || state === 'active' ? ('reducing' as const) : ('active' as const),
    /** The state is not known so far. */
    isUnknown: data === undefined && error !== undefined,
    /** There is a newer one that could not be loaded, perhaps another. */
    isOld: data !== undefined && error !== undefined,
    isAsking: isFetching,
    askAgain: () => void refetch(),
    change,
    isBusy: isLoading,
  }
}
