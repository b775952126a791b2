import type { DiagnosticCode, RefusalCode } from '@tripline/proto/error-code'

/** Why something did not happen, and what a person does about it. */
export interface HelpEntry {
  cause: string
  next: string
}

/** The help for every code that a message or a command can end with. */
export const diagnosticHelp: Record<DiagnosticCode, HelpEntry> = {
  E101: entry(
    'The message holds no block of commands.',
    'Write Bot(SYMBOL) { ... } with at least one command between the braces.',
  ),
  E102: entry(
    'A block was opened and never closed.',
    'Add the missing }. A # or // before it on its line makes it part of a comment.',
  ),
  E103: entry(
    'There are commands in braces, and no bot and symbol before them.',
    'Put the label of a bot and a symbol in front: MyBot(BTCUSDT) { ... }.',
  ),
  E104: entry('The block holds no command.', 'Put a command between the braces, or leave the block out.'),
  E105: entry('A word inside the block is not a command.', 'Remove it, or write it behind a # as a comment.'),
  E106: entry('A parenthesis was opened and never closed.', 'Add the missing ) at the end of the command.'),
  E107: entry('A quote was opened and never closed on its line.', 'Close the quote, or take it away.'),
  E108: entry(
    'A placeholder came as it was written: the charting platform did not fill it in.',
    'Placeholders of a strategy are filled in for alerts of a strategy only, and none in the text of alert().',
  ),
  E109: entry(
    'The message is over a limit of size, blocks, commands or depth.',
    'Split it into several alerts.',
  ),
  E110: entry(
    'An argument is empty, or written with a colon.',
    'Write values one after the other, or as name=value.',
  ),
  E111: entry(
    'This command takes no block of its own.',
    'Only oco has legs in braces; put the other commands one after the other.',
  ),
  E201: entry(
    'The message names a bot that you do not have.',
    'Write the label exactly as under API Keys. A bot of another account needs the webhook URL of that account.',
  ),
  E202: entry('There is no such command.', 'Check the spelling against the list of commands.'),
  E203: entry(
    'This is a command of another product.',
    'Use the nearest command here, which the message of the error names where there is one.',
  ),
  E204: entry(
    'Conditions in messages are not supported, and one that is not honored would be dangerous.',
    'Decide in the alert itself, and send only what is to be done.',
  ),
  E205: entry('The command has no such parameter.', 'Check the spelling of the parameter.'),
  E206: entry(
    'The command was given more values than it takes.',
    'Write the others by name. Numbers have no commas for thousands.',
  ),
  E207: entry('A parameter was given twice.', 'Keep one of the two.'),
  E208: entry('A parameter that the command needs is missing.', 'Add it as the error shows.'),
  E209: entry('Two parameters contradict one another.', 'Keep the one that you mean.'),
  E210: entry('An oco needs at least two legs.', 'Add a second limit or stop between its braces.'),
  E211: entry('Only limit and stop orders can be legs of an oco.', 'Move the other command out of the oco.'),
  E212: entry('The oco has no legs.', 'Write oco { stop(...); limit(...) }.'),
  E213: entry(
    'A value without a name stands behind one with a name.',
    'Put values without a name first, or name all of them.',
  ),
  E301: entry('The side is neither buy nor sell.', 'Write buy or sell.'),
  E302: entry(
    'A value is not a number; often a placeholder came empty.',
    'Check what the alert fills in at this place.',
  ),
  E303: entry(
    'The unit of the size is not known here.',
    'Write base units (0.01), percent (50%) or a value (100$).',
  ),
  E304: entry(
    'The size is zero or negative.',
    'To sell, write side=sell; to arrive at a short position, position=-0.01.',
  ),
  E305: entry(
    'The price cannot be read.',
    'Write a number (58000), a distance (1%, +1%, -1%) or one from the entry (e2%).',
  ),
  E306: entry(
    'An offset is negative.',
    'An offset is measured away from the market for its side; for the other direction use price=+1% or price=-1%.',
  ),
  E307: entry('The value is neither true nor false.', 'Write true or false.'),
  E308: entry('The value is none of the choices.', 'Use one of those that the error lists.'),
  E309: entry('The duration cannot be read, or is over 24 hours.', 'Write 10s, 2m or 1h.'),
  E310: entry(
    'The leverage is more than this symbol allows.',
    'Use a lower one; the exchange lists the highest for each symbol.',
  ),
  E311: entry('The symbol cannot be read.', 'Write it as BTCUSDT, BTC/USDT or BTCUSDT.P.'),
  E312: entry('The tag is not allowed.', 'Use up to 16 letters, digits, - and _.'),
  E401: entry(
    'The symbol is not listed on the market of this bot.',
    'Check the spelling, and whether the bot trades futures or spot.',
  ),
  E402: entry(
    'The symbol does not trade now.',
    'Wait until the exchange resumes trading, or use another symbol.',
  ),
  E403: entry(
    'The message means a perpetual, and the bot trades spot.',
    'Name a futures bot, or leave the .P away.',
  ),
  E404: entry(
    'This market has no such feature, or the exchange of the bot cannot be reached.',
    'The message of the error says which: use a bot on a market that has it, or send again once the exchange answers.',
  ),
  E405: entry(
    'The position side does not fit the position mode of the account.',
    'In hedge mode say positionSide=long or short; in one-way mode leave it out.',
  ),
  E406: entry(
    'The exchange does not take the API key for this.',
    'Run Test under API Keys: it tells a wrong key, address or permission apart.',
  ),
  E407: entry(
    'The alert came at a close-only address, which closes positions and cancels entries, and does nothing else.',
    "Send closing commands there, such as market(position=0); send everything else to the webhook's own address.",
  ),
  E501: entry(
    'The size is smaller than one step of this symbol.',
    'Order more; the error shows the step and how the size came about.',
  ),
  E502: entry('The size is below the minimum of this symbol.', 'Order at least the minimum quantity.'),
  E503: entry('The size is above the maximum of this symbol.', 'Split the order, or order less.'),
  E504: entry(
    'The value of the order is below the minimum of this symbol.',
    'Order more; the error says how much is needed.',
  ),
  E505: entry(
    'The size is a percent of a position, and there is none.',
    'Open the position first, or give a size that does not hang on it.',
  ),
  E506: entry(
    'The account has not enough balance or margin for this order.',
    'Order less, add funds, or close something first.',
  ),
  E507: entry(
    'The stop lies on the wrong side of the market and would trigger at once.',
    'For a sell it has to be below the market, for a buy above it.',
  ),
  E508: entry(
    'The price is farther from the market than the exchange allows, or the order would trade at once and the price was probably not meant.',
    'A bare number is an absolute price; write a distance as offset=1%.',
  ),
  E509: entry(
    'A post-only order would have been filled at once.',
    'Move the price away from the market, or leave postOnly out.',
  ),
  E510: entry(
    'A reduce-only order would have opened or increased a position.',
    'Check the side, and whether the position is still there.',
  ),
  E511: entry(
    'The prices of the oco do not stand around the market.',
    'One leg belongs above the market and the other below it.',
  ),
  E512: entry(
    'A price is measured from the entry, and there is no position.',
    'Open the position first, or give another price.',
  ),
  E513: entry(
    'The account has too many open orders on this symbol.',
    'Cancel what is not needed, for instance with cancel(all).',
  ),
  E514: entry(
    'No recent price of this symbol is known, so nothing can be sized.',
    'Send it again in a moment; Test under API Keys shows whether the exchange answers.',
  ),
  E515: entry(
    'The alert was older than this bot accepts when its turn came, so its entry was not made.',
    'Look whether the entry still makes sense. The age is a limit of the bot under API Keys.',
  ),
  E516: entry(
    'The bot is halted, or only reduces positions now.',
    'Set its trading state back to active under API Keys, or resume trading for all bots.',
  ),
  E517: entry(
    'The order is worth more than this bot may place.',
    'Order less, or raise the limit of the bot under API Keys.',
  ),
  E518: entry(
    'Too many of your alerts are waiting already.',
    'Let some of them come to their end, or send the later part as an alert of its own.',
  ),
  E519: entry(
    'This waited while the exchange did not answer, and an exit of the same market that came later was run first. It would have opened a position behind that exit, so it was not sent.',
    'Look at the position, and send it again if it is still wanted.',
  ),
  E601: entry(
    'The exchange refused the command for a reason of its own.',
    'Read its own words below; the number can be looked up in its documentation.',
  ),
  E602: entry(
    'The exchange gave no answer, so it is not known whether the order lives.',
    'Look at the exchange before sending anything again. What turns out is added here.',
  ),
  E603: entry(
    'The exchange takes no more requests for the moment.',
    'Send it again in a minute, and send fewer at once.',
  ),
  E604: entry(
    'Only a part of the group could be placed. A stop that protects stays with what else stands; orders that protect nothing were taken back.',
    'The response lists what stands or was undone; send what is missing again, or cancel and start over.',
  ),
  E605: entry(
    'The command failed by a fault of ours.',
    'Look at the exchange before sending it again, and tell us the execution id.',
  ),
  W701: entry('A target position was given, so side and amount play no part.', 'Leave them out.'),
  W702: entry('The legs of the oco differ in size.', 'Give them one size, unless that is meant.'),
  W703: entry('The limit price crosses the market, so it trades at once.', 'Nothing, if that is meant.'),
  W704: entry('Rounding to the step changed the size by more than 1%.', 'Use a size that fits the step.'),
  W705: entry('The size was cut to what is available.', 'Order less, if the exact size matters.'),
  W707: entry(
    'The order waits at a price that is far from the market.',
    'Nothing, if that is meant. A bare number is an absolute price; write a distance as offset=1%.',
  ),
  N801: entry('A block stands in a comment and was not run.', 'Take the comment signs away to run it.'),
  N802: entry('There was nothing to do: it was already so.', 'Nothing.'),
  N803: entry(
    'What is left of the position is less than the exchange takes as an order, so there is nothing to close.',
    'Nothing. It goes with the next exit, once there is more of it.',
  ),
  N804: entry(
    'The position that this would close is gone already, so nothing was placed; the result says what closed it.',
    'Nothing. The next plain percent opens again; 50%b is percent of equity, whatever came before.',
  ),
}

/** The help for alerts that were refused before they were read. */
export const refusalHelp: Partial<Record<RefusalCode, HelpEntry>> = {
  unreadable_message: entry(
    'What arrived could not be read as a message.',
    'Send the text of the message, or JSON with a field message.',
  ),
  webhook_inactive: entry('The webhook is switched off.', 'Switch it on under Webhook.'),
  message_too_large: entry('The message is larger than 64 KiB.', 'Split it into several alerts.'),
  rate_limited: entry(
    'More alerts arrived in a minute than the webhook allows.',
    'Raise the limit under Webhook, up to 60 a minute, or send fewer alerts.',
  ),
  unsupported: entry(
    'A bot, a market or a setting refuses the message.',
    'The message of the error says which.',
  ),
  unavailable: entry(
    'Something went wrong here before the alert was stored.',
    'Look at the history before sending it by hand.',
  ),
  not_durable: entry(
    'The alert could not be confirmed as stored.',
    'Look for its id in the history before sending it by hand.',
  ),
}

function entry(cause: string, next: string): HelpEntry {
  return { cause, next }
}
