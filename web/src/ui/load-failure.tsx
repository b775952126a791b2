import { Alert, Button } from 'antd'
import { failureText } from '../shared/failure.ts'
import { texts } from '../shared/texts.ts'

interface LoadFailureProps {
  /** The name of the part that could not be loaded. */
  title: string
  error: unknown
  onRetry: () => void
}

/** Says that something could not be loaded and what the server said of it, and loads it again on demand. */
export function LoadFailure({ title, error, onRetry }: LoadFailureProps) {
  const reason = failureText(error, '')
  const again = (
    <Button size="small" onClick={onRetry}>
      {texts.general.retry}
    </Button>
  )
  return (
    <Alert
      className="load-failure"
      type="error"
      title={reason === '' ? title : `${title}: ${reason}`}
      action={again}
    />
  )
}
