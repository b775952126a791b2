import {
  useCreateCloseOnlyMutation,
  useDeleteCloseOnlyMutation,
  useRegenerateCloseOnlyMutation,
} from '../../shared/client.ts'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { texts } from './texts.ts'

const { closeOnly: words } = texts

/** Makes, replaces or takes away the close-only address of a bot, and says how that went. */
export function useCloseOnlyChange(id: string) {
  const [create, creating] = useCreateCloseOnlyMutation()
  const [regenerate, regenerating] = useRegenerateCloseOnlyMutation()
  const [remove, removing] = useDeleteCloseOnlyMutation()
  const withToast = useCallWithToast()
  const calls: Record<keyof typeof words.done, () => Promise<unknown>> = {
    create: () => create(id).unwrap(),
    replace: () => regenerate({ id, body: { confirm: true } }).unwrap(),
    remove: () => remove(id).unwrap(),
  }
  async function change(kind: keyof typeof calls): Promise<boolean> {
    const done = await withToast(calls[kind](), { success: words.done[kind], failure: words.failure[kind] })
    return done !== undefined
  }
  return { change, isBusy: creating.isLoading || regenerating.isLoading || removing.isLoading }
}
