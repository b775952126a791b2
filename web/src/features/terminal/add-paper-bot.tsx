import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button } from 'antd'
import { useState } from 'react'
import { PaperBotDialog } from '../../ui/paper/paper-bot-dialog.tsx'
import { paperTexts } from '../../ui/paper/paper-texts.ts'

interface AddPaperBotProps {
  /** True when there is no bot yet, so that this is the thing to do. */
  isFirst: boolean
  onAdded: (label: string) => void
}

/** Opens a dialog that adds a bot with a new account on the paper exchange. */
export function AddPaperBot({ isFirst, onAdded }: AddPaperBotProps) {
  const [isOpen, setOpen] = useState(false)
  function close(label?: string) {
    setOpen(false)
    if (label !== undefined) onAdded(label)
  }
  return (
    <>
      <Button
        type={isFirst ? 'primary' : 'text'}
        size="small"
        icon={<PlusOutlined aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {paperTexts.add.title}
      </Button>
      {isOpen && <PaperBotDialog onClose={close} />}
    </>
  )
}
