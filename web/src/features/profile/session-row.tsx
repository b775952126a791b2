import type { SessionView } from '@tripline/proto/http/auth'
import { Button, Tag } from 'antd'
import { useEndSessionMutation } from '../../shared/client.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { browserName } from './browser-name.ts'
import { profileTexts } from './texts.ts'

const { sessions: words } = profileTexts

/** One session: with what, from where, since when, and its end. */
export function SessionRow({ session }: { session: SessionView }) {
  const [endSession, { isLoading }] = useEndSessionMutation()
  const withToast = useCallWithToast()
  const name = browserName(session.user_agent) ?? (session.user_agent || words.unknownProgram)
  const end = () =>
    withToast(endSession(session.id).unwrap(), { success: words.ended, failure: words.endFailure })
  return (
    <li>
      <div>
        <strong title={session.user_agent}>{name}</strong>{' '}
        {session.is_current && <Tag color="success">{words.current}</Tag>}
        <p className="quiet">
          <code>{session.address}</code> ·{' '}
          <span>
            {words.used} <RelativeTime instant={session.last_used_at} isDated />
          </span>{' '}
          ·{' '}
          <span>
            {words.opened} <RelativeTime instant={session.created_at} isDated />
          </span>
        </p>
      </div>
      {!session.is_current && (
        <Button
          size="small"
          danger
          loading={isLoading}
          aria-label={words.endOf(name)}
          onClick={() => void end()}
        >
          {words.end}
        </Button>
      )}
    </li>
  )
}
