import { now } from '@tripline/kit/time/clock'
import type { ExecutionEvent } from '@tripline/proto/event'
import type { EventScene, Identity } from '../domain/order/order-events.ts'

/** Knowledge of a command or of a group, the rules by which it changes, and where its events go. */
export interface Subject<Known, Observation> {
  known: Known
  identity: Identity
  observe: (before: Known, observation: Observation, at: number) => Known
  eventsOf: (
    scene: EventScene,
    before: Known,
    observation: Observation,
    after: Known,
  ) => readonly ExecutionEvent[]
  emit: (event: ExecutionEvent) => void
  /** The epoch of the user's partition under which something is sent now; undefined while it is not surely ours. */
  epoch: () => number | undefined
  /** Called with each observation, for what else depends on it. */
  note: (before: Known, observation: Observation, after: Known, at: number) => void
}

/** Takes an observation: what is known changes by it, and its events are emitted. */
export function take<Known, Observation>(
  subject: Subject<Known, Observation>,
  observation: Observation,
): void {
  const { identity, known: before } = subject
  const at = now()
  const after = subject.observe(before, observation, at)
  subject.known = after
  for (const event of subject.eventsOf({ identity, at }, before, observation, after)) subject.emit(event)
  subject.note(before, observation, after, at)
}

/** Hooks by which a subject is driven. */
interface Driver<Step, Observation> {
  /** The step that is due; undefined where there is none, or none here. */
  decide: () => Step | undefined
  /** Takes a step; returns what is observed of it, if anything. */
  act: (step: Step) => Promise<Observation | undefined>
  /** Goes on behind an error, unless it throws. */
  onError: (error: unknown, step: Step | undefined) => Promise<void> | void
}

/** Decides, acts, observes and emits, over and over, until nothing is due. */
export async function loop<Known, Step, Observation>(
  subject: Subject<Known, Observation>,
  { decide, act, onError }: Driver<Step, Observation>,
): Promise<Known> {
  for (;;) {
    let step: Step | undefined
    try {
      step = decide()
      if (step === undefined) return subject.known
      const observation = await act(step)
      if (observation !== undefined) take(subject, observation)
    } catch (error) {
      await onError(error, step)
    }
  }
}
