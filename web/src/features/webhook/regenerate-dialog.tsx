import { Alert, Button, Flex, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useGetWebhookUsageQuery, useRegenerateWebhookMutation } from '../../shared/client.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { SenderList } from './senders-panel.tsx'
import { webhookTexts } from './texts.ts'

const { regenerate } = webhookTexts

/** Warns, takes the old address out of use, and shows the new one. */
export function RegenerateDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [newUrl, setNewUrl] = useState<string>()
  const close = () => {
    setNewUrl(undefined)
    onClose()
  }
  return (
    <Modal
      open={isOpen}
      onCancel={close}
      footer={null}
      destroyOnHidden
      title={newUrl === undefined ? regenerate.title : regenerate.newTitle}
    >
      {newUrl === undefined ? (
        <ConfirmRegenerate onCancel={close} onDone={setNewUrl} />
      ) : (
        <NewAddress url={newUrl} onClose={close} />
      )}
    </Modal>
  )
}

const { address } = webhookTexts

interface ConfirmProps {
  onCancel: () => void
  onDone: (newUrl: string) => void
}

/** Says what will happen and to whom, and asks for a typed word. */
function ConfirmRegenerate({ onCancel, onDone }: ConfirmProps) {
  const { data: usage } = useGetWebhookUsageQuery()
  const [typed, setTyped] = useState('')
  const { replace, isReplacing } = useReplaceAddress(onDone)
  const id = useId()
  const isConfirmed = typed.trim().toLowerCase() === regenerate.word
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (isConfirmed) void replace()
      }}
    >
      <Alert type="warning" showIcon title={regenerate.warning} description={regenerate.consequence} />
      {usage && (
        <>
          <p>{usage.senders.length === 0 ? regenerate.nobody : regenerate.senders}</p>
          <SenderList senders={usage.senders} />
        </>
      )}
      <label htmlFor={id}>{regenerate.type(regenerate.word)}</label>
      <Input id={id} value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
      <Flex gap={8} justify="end">
        <Button onClick={onCancel}>{regenerate.cancel}</Button>
        <Button danger type="primary" htmlType="submit" disabled={!isConfirmed} loading={isReplacing}>
          {regenerate.submit}
        </Button>
      </Flex>
    </form>
  )
}

function useReplaceAddress(onDone: (newUrl: string) => void) {
  const [regenerateWebhook, { isLoading }] = useRegenerateWebhookMutation()
  const withToast = useCallWithToast()
  async function replace() {
    const { done: success, failure } = regenerate
    const replaced = await withToast(regenerateWebhook({ confirm: true }).unwrap(), { success, failure })
    if (replaced) onDone(replaced.answer.webhook_url)
  }
  return { replace, isReplacing: isLoading }
}

/** The new address, in full this once. */
function NewAddress({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <div className="stack">
      <div className="secret-url">
        <code>{url}</code>
        <CopyButton text={url} label={address.copy} />
      </div>
      <p className="quiet">{regenerate.newNote}</p>
      <Flex gap={8} justify="end">
        <Button type="primary" onClick={onClose}>
          {regenerate.close}
        </Button>
      </Flex>
    </div>
  )
}
