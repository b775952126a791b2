import { Button, Modal, Skeleton } from 'antd'
import { useEndOtherSessionsMutation, useListSessionsQuery } from '../../shared/client.ts'
import { logout } from '../../shared/end-session.ts'
import { failureText } from '../../shared/failure.ts'
import { Panel } from '../../ui/panel.tsx'
import { useCallWithToast } from '../../ui/use-call-with-toast.ts'
import { ZoneName } from '../../ui/zone-name.tsx'
import { SessionRow } from './session-row.tsx'
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
      <div className="sessions-actions">
        <Button disabled={!hasOthers} onClick={() => void endOthers()}>
          {words.endOthers}
        </Button>
        <Button danger onClick={askToEndAll}>
          {words.endAll}
        </Button>
      </div>
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
