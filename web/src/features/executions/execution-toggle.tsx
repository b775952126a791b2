import RightOutlined from '@ant-design/icons/RightOutlined'
import type { ExecutionView } from '@tripline/proto/http/execution'
import { texts } from './texts.ts'

interface ExecutionToggleProps {
  execution: ExecutionView
  isOpen: boolean
  onToggle: (id: string) => void
}

/** Opens and closes the details of an execution; the keyboard's place in the list. */
export function ExecutionToggle({
  execution: { id, api_key_label },
  isOpen,
  onToggle,
}: ExecutionToggleProps) {
  return (
    <button
      type="button"
      className="sign execution-toggle"
      data-execution={id}
      aria-expanded={isOpen}
      aria-controls={isOpen ? `details-${id}` : undefined}
      aria-label={`${texts.expand} ${api_key_label ?? ''}`.trim()}
      onClick={(event) => {
        event.stopPropagation()
        onToggle(id)
      }}
    >
      <RightOutlined aria-hidden="true" />
    </button>
  )
}
