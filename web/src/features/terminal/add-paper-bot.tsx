import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button } from 'antd'
import { useState } from 'react'
import { PaperBotDialog } from '../../ui/paper/paper-bot-dialog.tsx'
import { paperTexts } from '../../ui/paper/paper-texts.ts'

interface LinkPaperBotProps {
  /** True when there is no bot yet, so that this is the thing to do. */
  isFirst: boolean
  onLinked: (label: string) => void
}

/** Opens a dialog that links a bot to a new account on the paper exchange. */
export function LinkPaperBot({ isFirst, onLinked }: LinkPaperBotProps) {
  const [isOpen, setOpen] = useState(false)
  function close(label?: string) {
    setOpen(false)
    if (label !== undefined) onLinked(label)
  }
  return (
    <>
      <Button
        type={isFirst ? 'primary' : 'text'}
        size="small"
        icon={<PlusOutlined aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {paperTexts.link.title}
      </Button>
      {isOpen && <PaperBotDialog onClose={close} />}
    </>
  )
}
