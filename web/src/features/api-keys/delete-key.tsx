import type { KeyView } from '@tripline/proto/http/key'
import { Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useDeleteKeyMutation } from '../../shared/client.ts'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { useToldCall } from '../../ui/use-told-call.ts'
import { texts } from './texts.ts'
import { useKeyFigures } from './use-key-figures.ts'

const { deletion: words } = texts

/** Asks whether a key may go; of one that was used today its label is to be typed. */
export function DeleteKey({ doomed, onClose }: { doomed: KeyView; onClose: () => void }) {
  useFocusReturn()
  const { id, label } = doomed
  const field = useId()
  const [typed, setTyped] = useState('')
  const [remove, { isLoading }] = useDeleteKeyMutation()
  const told = useToldCall()
  const isUsed = (useKeyFigures().get(id)?.executions_24h ?? 0) > 0
  const isSure = !isUsed || typed.trim() === label
  async function confirm() {
    if (await told(remove(id).unwrap(), words)) onClose()
  }
  return (
    <Modal
      title={words.title(label)}
      open
      okText={words.confirm}
      okButtonProps={{ danger: true, disabled: !isSure }}
      cancelText={texts.cancel}
      confirmLoading={isLoading}
      onOk={() => void confirm()}
      onCancel={onClose}
      width={460}
    >
      <p>{words.text}</p>
      {isUsed && (
        <div className="typed-label">
          <label htmlFor={field}>{words.typed(label)}</label>
          <Input
            id={field}
            value={typed}
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
            onPressEnter={() => isSure && void confirm()}
          />
        </div>
      )}
    </Modal>
  )
}
