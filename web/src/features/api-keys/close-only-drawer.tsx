import type { KeyView } from '@tripline/proto/http/key'
import { Alert, Button, Drawer, Empty, Flex } from 'antd'
import { useState } from 'react'
import {
  useCreateCloseOnlyMutation,
  useDeleteCloseOnlyMutation,
  useGetCloseOnlyQuery,
  useRegenerateCloseOnlyMutation,
} from '../../shared/client.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { SecretUrl } from '../../ui/secret-url.tsx'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { texts } from './texts.ts'

const { closeOnly: words } = texts

/** The address of a bot at which alerts can only close: made, shown, replaced and taken away. */
export function CloseOnlyDrawer({ bot, onClose }: { bot: KeyView; onClose: () => void }) {
  useFocusReturn()
  const { data, error, isLoading, refetch } = useGetCloseOnlyQuery(bot.id)
  return (
    <Drawer title={words.open(bot.label)} open size={480} onClose={onClose} loading={isLoading}>
      <p className="quiet close-only-lead">{words.lead(bot.label)}</p>
      {data === undefined && error !== undefined && (
        <LoadFailure title={words.loadFailure} error={error} onRetry={() => void refetch()} />
      )}
      {data?.webhook_url === null && <NoAddress bot={bot} />}
      {typeof data?.webhook_url === 'string' && <CloseOnlyAddress bot={bot} url={data.webhook_url} />}
    </Drawer>
  )
}

function NoAddress({ bot: { id, label } }: { bot: KeyView }) {
  const { change, isBusy } = useCloseOnlyChange(id)
  return (
    <Empty image={null} description={words.none(label)}>
      <Button type="primary" loading={isBusy} onClick={() => void change('create')}>
        {words.create}
      </Button>
    </Empty>
  )
}

/** A close-only address with a message for it; a new one, or none, counts once it is confirmed. */
function CloseOnlyAddress({ bot: { id, label }, url }: { bot: KeyView; url: string }) {
  const [asked, setAsked] = useState<'replace' | 'remove'>()
  const { change, isBusy } = useCloseOnlyChange(id)
  async function confirm(kind: 'replace' | 'remove') {
    if (await change(kind)) setAsked(undefined)
  }
  const example = `${label}(BTCUSDT) { cancel; market(position=0) }`
  return (
    <section>
      <SecretUrl key={url} url={url} texts={words} />
      <p className="quiet">{words.secret}</p>
      <h2>{words.example}</h2>
      <div className="secret-url">
        <code>{example}</code>
        <CopyButton text={example} label={words.copyExample} />
      </div>
      {asked === undefined ? (
        <Flex className="close-only-actions" wrap gap={8}>
          <Button onClick={() => setAsked('replace')}>{words.replace}</Button>
          <Button danger onClick={() => setAsked('remove')}>
            {words.remove}
          </Button>
        </Flex>
      ) : (
        <Alert
          type="warning"
          role="status"
          title={words.ask[asked]}
          description={
            <Flex gap={8}>
              <Button type="primary" danger autoFocus loading={isBusy} onClick={() => void confirm(asked)}>
                {words.confirm[asked]}
              </Button>
              <Button onClick={() => setAsked(undefined)}>{texts.cancel}</Button>
            </Flex>
          }
        />
      )}
    </section>
  )
}

/** Makes, replaces or takes away the close-only address of a bot, and says how that went. */
function useCloseOnlyChange(id: string) {
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
