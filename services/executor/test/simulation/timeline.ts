/** Something that goes on in time: it yields how long it waits, in ms. */
export type Story<Result = void> = Generator<number, Result, void>

/** Time that passes only when nobody has anything left to do in it. */
export interface Timeline {
  now: () => number
  begin: (story: Story) => void
  /** Plays every story to its end; false when one still goes on at this time. */
  play: (untilMs: number) => boolean
}

interface Due {
  at: number
  story: Story
}

/** A timeline at 0, with nothing on it. */
export function createTimeline(): Timeline {
  let now = 0
  const waiting: Due[] = []
  const wait = (due: Due): void => {
    const after = waiting.findLastIndex(({ at }) => at <= due.at)
    waiting.splice(after + 1, 0, due)
  }
  return {
    now: () => now,
    begin: (story) => wait({ at: now, story }),
    play: (untilMs) => {
      for (let due = waiting.shift(); due !== undefined; due = waiting.shift()) {
        if (due.at > untilMs) return false
        now = due.at
        const { done, value } = due.story.next()
        if (done !== true) wait({ at: now + value, story: due.story })
      }
      return true
    },
  }
}
