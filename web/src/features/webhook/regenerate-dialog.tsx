import { Modal } from 'antd'
import { useState } from 'react'
import { ConfirmRegenerate, NewAddress } from './regenerate-steps.tsx'
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
