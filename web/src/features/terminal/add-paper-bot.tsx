import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { paperTexts } from '../../ui/paper/paper-texts.ts'

// Forms are no part of this screen otherwise.
const PaperBotDialog = lazy(async () => ({
  default: (await import('../../ui/paper/paper-bot-dialog.tsx')).PaperBotDialog,
}))

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
      <Suspense>{isOpen && <PaperBotDialog onClose={close} />}</Suspense>
    </>
  )
}
