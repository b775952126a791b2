import type { TradingState } from '@tripline/proto/user-config'
import { useGetTradingStateQuery, useUpdateTradingStateMutation } from '../shared/client.ts'
import { texts } from '../shared/texts.ts'
import { useCallWithToast } from '../ui/use-call-with-toast.ts'
import { askedWhileSeen } from './asked-while-seen.ts'
import { noteTradingChange } from './use-trading-changes.ts'

/** The trading state of all bots together, as it stands now, and how to pause and resume it. */
export function useTradingSwitch() {
  const { data, error, isFetching, refetch } = useGetTradingStateQuery(undefined, askedWhileSeen)
  const [update, { isLoading }] = useUpdateTradingStateMutation()
  const withToast = useCallWithToast()

  /** Returns whether the server took it. */
  async function change(state: TradingState): Promise<boolean> {
    const { done, failure } = texts.trading
    const taken = await withToast(update({ state }).unwrap(), { success: done[state], failure })
    if (taken) noteTradingChange()
    return taken !== undefined
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
