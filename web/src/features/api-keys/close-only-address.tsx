import type { KeyView } from '@tripline/proto/http/key'
import { Alert, Button, Flex } from 'antd'
import { useState } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { SecretUrl } from '../../ui/secret-url.tsx'
import { texts } from './texts.ts'
import { useCloseOnlyChange } from './use-close-only-change.ts'

const { closeOnly: words } = texts

/** A close-only address with a message for it; a new one, or none, counts once it is confirmed. */
export function CloseOnlyAddress({ bot: { id, label }, url }: { bot: KeyView; url: string }) {
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
