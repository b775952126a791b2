import { type UpdateKeyTradingApiArg, useUpdateKeyTradingMutation } from '../../shared/client.ts'
import { failureList } from '../../shared/failure.ts'
import { useToast } from '../../ui/toast.ts'
import { texts } from './texts.ts'

const { trading: words } = texts

/** Changes how a bot may trade, and says how that went. */
export function useTradingChange(id: string) {
  const [update, { isLoading }] = useUpdateKeyTradingMutation()
  const toast = useToast()
  async function change(body: UpdateKeyTradingApiArg['body']): Promise<void> {
    try {
      await update({ id, body }).unwrap()
      toast.success({ title: words.success })
    } catch (cause) {
      toast.error({ title: words.failure, description: failureList(cause) })
    }
  }
  return { change, isBusy: isLoading }
}
