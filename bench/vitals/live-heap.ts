// Loaded into a service by its doctor, beside what answers him.
import { type HeapProfiler, Session } from 'node:inspector/promises'

// Bytes between two objects that are looked at: some thousands of them among what a large service holds.
const samplingInterval = 2 ** 15
const ownFile = /\/((?:services\/[^/]+\/src|kit|proto|gateway\/src)\/[^?]+)$/

/** Has the objects of the process from here on counted; returns how to ask for bytes that are held, by our file that had them made. */
export async function watchLiveHeap(): Promise<() => Promise<Record<string, number>>> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.enable')
  await session.post('HeapProfiler.startSampling', { samplingInterval })
  return async () => {
    const { profile } = await session.post('HeapProfiler.getSamplingProfile')
    const bytes: Record<string, number> = {}
    addHeld(profile.head, 'no file of ours', bytes)
    return bytes
  }
}

/** Adds what a call and all below it hold; what others' code made is its caller's. */
function addHeld(
  call: HeapProfiler.SamplingHeapProfileNode,
  caller: string,
  bytes: Record<string, number>,
): void {
  const file = ownFile.exec(call.callFrame.url)?.[1] ?? caller
  bytes[file] = (bytes[file] ?? 0) + call.selfSize
  for (const child of call.children) addHeld(child, file, bytes)
}
