import { Flex, Result } from 'antd'
import type { ReactNode } from 'react'

interface OutcomeProps {
  kind: 'success' | 'failure'
  heading: string
  text: string
  children: ReactNode
}

/** The outcome of an act that a mailed link began, with the ways on; announced when it appears. */
export function Outcome({ kind, heading, text, children }: OutcomeProps) {
  return (
    <div className="outcome" role={kind === 'failure' ? 'alert' : 'status'}>
      <Result
        status={kind === 'success' ? 'success' : 'error'}
        title={<h2>{heading}</h2>}
        subTitle={text}
        extra={
          <Flex vertical gap={8}>
            {children}
          </Flex>
        }
      />
    </div>
  )
}
