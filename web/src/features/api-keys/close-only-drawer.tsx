import type { KeyView } from '@tripline/proto/http/key'
import { Alert, Button, Drawer, Empty, Flex } from 'antd'
import { useState } from 'react'
import { useGetCloseOnlyQuery } from '../../shared/client.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { SecretUrl } from '../../ui/secret-url.tsx'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { texts } from './texts.ts'
import { useCloseOnlyChange } from './use-close-only-change.ts'

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
    <section className="close-only">
      <SecretUrl key={url} url={url} texts={words} />
      <p className="quiet">{words.secret}</p>
      <h2>{words.example}</h2>
      <div className="secret-url">
        <code>{example}</code>
        <CopyButton text={example} label={words.copyExample} />
      </div>
      {asked === undefined ? (
        <div className="close-only-actions">
          <Button onClick={() => setAsked('replace')}>{words.replace}</Button>
          <Button danger onClick={() => setAsked('remove')}>
            {words.remove}
          </Button>
        </div>
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
