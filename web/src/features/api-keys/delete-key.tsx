import type { KeyView } from '@tripline/proto/http/key'
import { Flex, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useDeleteKeyMutation } from '../../shared/client.ts'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { useFocusReturn } from '../../ui/use-focus-return.ts'
import { dayUseOf } from './key-use.ts'
import { texts } from './texts.ts'
import { useKeyFigures } from './use-key-figures.ts'

const { deletion: words } = texts

/** Asks whether a key may go; of one that was used today, or may have been, its label is to be typed. */
export function DeleteKey({ doomed, onClose }: { doomed: KeyView; onClose: () => void }) {
  useFocusReturn()
  const { id, label } = doomed
  const field = useId()
  const [typed, setTyped] = useState('')
  const [remove, { isLoading }] = useDeleteKeyMutation()
  const withToast = useCallWithToast()
  const { figures, isCurrent } = useKeyFigures()
  const use = dayUseOf(isCurrent ? figures : undefined, id)
  const isSure = use === 'unused' || typed.trim() === label
  async function confirm() {
    if (await withToast(remove(id).unwrap(), words)) onClose()
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
      {use !== 'unused' && (
        <Flex vertical gap={6}>
          <label htmlFor={field}>{(use === 'used' ? words.typed : words.typedUnknown)(label)}</label>
          <Input
            id={field}
            value={typed}
            autoComplete="off"
            onChange={({ target }) => setTyped(target.value)}
            onPressEnter={() => isSure && void confirm()}
          />
        </Flex>
      )}
    </Modal>
  )
}
