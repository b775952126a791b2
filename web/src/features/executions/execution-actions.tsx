import type { ExecutionView } from '@tripline/proto/http/execution'
import { Button } from 'antd'
import { Link } from 'react-router-dom'
import { executionPath, paths } from '../../shared/paths.ts'
import { LinkButton } from '../../ui/link-button.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import { curlOf } from './execution-curl.ts'
import { texts } from './texts.ts'

/** The actions on an execution; none of them runs anything. */
export function ExecutionActions({ execution }: { execution: ExecutionView }) {
  const copy = useCopy()
  const { details } = texts
  const { id, webhook_payload } = execution
  const { message } = webhook_payload
  const copies = [
    [details.copyCurl, () => copy(curlOf(location.origin, message))],
    [details.copyJson, () => copy(jsonOf(execution))],
    [details.copyLink, () => copy(`${location.origin}${executionPath(id)}`)],
  ] as const
  return (
    <>
      <p className="execution-actions">
        <LinkButton size="small" to={paths.terminal} state={{ message }}>
          {details.openInTerminal}
        </LinkButton>
        {copies.map(([name, act]) => (
          <Button key={name} size="small" onClick={() => void act()}>
            {name}
          </Button>
        ))}
      </p>
      <p className="execution-id quiet small">
        {details.id}{' '}
        <Link to={executionPath(id)}>
          <code>{id}</code>
        </Link>
      </p>
    </>
  )
}

/** An execution as text for somebody else. */
export function jsonOf(execution: ExecutionView): string {
  return JSON.stringify(execution, null, 2)
}
