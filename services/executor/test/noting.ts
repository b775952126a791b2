import type { Dispatcher } from 'undici'

/**
 * The dispatcher, with a note of each request: of a question as it is asked, and of one that changes something as it begins
 * on its connection, since it may wait for that, and is signed anew then or never sent.
 */
export function noting(
  dispatcher: Dispatcher,
  note: (options: Dispatcher.DispatchOptions) => void,
): Dispatcher {
  return dispatcher.compose((dispatch) => (options, handler) => {
    if (options.method === 'GET') {
      note(options)
      return dispatch(options, handler)
    }
    const noted: Dispatcher.DispatchHandler = {
      onRequestStart: (...given) => {
        handler.onRequestStart?.(...given)
        note(options)
      },
      onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (...given) => handler.onResponseError?.(...given),
    }
    return dispatch(options, noted)
  })
}
