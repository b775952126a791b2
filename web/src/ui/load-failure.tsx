import { Button } from 'antd'
import { failureText } from '../shared/failure.ts'
import { texts } from '../shared/texts.ts'
import './load-failure.css'

interface LoadFailureProps {
  /** The name of the part that could not be loaded. */
  title: string
  error: unknown
  onRetry: () => void
}

/** Says that something could not be loaded and what the server said of it, and loads it again on demand. */
export function LoadFailure({ title, error, onRetry }: LoadFailureProps) {
  const reason = failureText(error, '')
  return (
    <p className="load-failure" role="alert">
      <span>{reason === '' ? title : `${title}: ${reason}`}</span>
      <Button size="small" onClick={onRetry}>
        {texts.general.retry}
      </Button>
    </p>
  )
}
