import type { SessionView } from '@tripline/proto/http/auth'
import { Button, Flex, Modal, Skeleton, Tag } from 'antd'
import {
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useListSessionsQuery,
} from '../../shared/client.ts'
import { logout } from '../../shared/end-session.ts'
import { failureText } from '../../shared/failure.ts'
import { Panel } from '../../ui/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { ZoneName } from '../../ui/zone-name.tsx'
import { browserName } from './browser-name.ts'
import { profileTexts } from './texts.ts'

const { sessions: words } = profileTexts

/** The person's sessions, and the ways out. */
export function SessionsPanel() {
  const { data: sessions, error } = useListSessionsQuery()
  const { endOthers, askToEndAll, question } = useEnding()
  const hasOthers = sessions !== undefined && sessions.length > 1
  return (
    <Panel title={words.heading} {...(sessions && { count: sessions.length })}>
      <p className="quiet">
        {words.note} <ZoneName />
      </p>
      {error && <p role="alert">{`${words.loadFailure}: ${failureText(error)}`}</p>}
      {!sessions && !error && <Skeleton active />}
      <ul
        className="sessions"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label={words.heading}
      >
        {sessions?.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <Flex className="sessions-actions" wrap gap={8}>
        <Button disabled={!hasOthers} onClick={() => void endOthers()}>
          {words.endOthers}
        </Button>
        <Button danger onClick={askToEndAll}>
          {words.endAll}
        </Button>
      </Flex>
      {question}
    </Panel>
  )
}

function useEnding() {
  const [endOtherSessions] = useEndOtherSessionsMutation()
  const [modal, question] = Modal.useModal()
  const withToast = useCallWithToast()
  const endOthers = () =>
    withToast(endOtherSessions().unwrap(), { success: words.endedOthers, failure: words.endFailure })
  function askToEndAll() {
    void modal.confirm({
      title: words.endAllTitle,
      content: words.endAllNote,
      okText: words.endAll,
      okButtonProps: { danger: true },
      cancelText: words.cancel,
      onOk: async () => {
        if (await endOthers()) await logout()
      },
    })
  }
  return { endOthers, askToEndAll, question }
}

/** One session: with what, from where, since when, and its end. */
function SessionRow({ session }: { session: SessionView }) {
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
        <p className="quiet small">
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
