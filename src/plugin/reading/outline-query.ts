import { LABEL_MEMBERS, MAX_LABEL_LENGTH, MAX_MESSAGE_BYTES, MAX_PARTS } from "../../contract/index.ts";

/*
 * What SQLite itself tells of assistant messages, one JSON text a row, so that no content ever becomes a
 * JavaScript value. The stored text is parsed once: `json_valid` leaves its parse in SQLite's cache for the
 * functions that follow, `jsonb` takes it over, and every further path is a walk through that binary form.
 * Measured on 8,000 messages of 13 KB: 163 ms, where `json_valid` alone takes 87 ms.
 */

const rank = LABEL_MEMBERS.map((member, at) => `WHEN '${member}' THEN ${at}`).join(" ");

/** The string in a tool's input that says best what the tool did: the best member, else the first in order. */
const label = `(SELECT substr(best.value, 1, ${4 * MAX_LABEL_LENGTH}) FROM (
  SELECT min(CASE input.key ${rank} ELSE 1000 + input.id END), input.value
  FROM jsonb_each(part.value, '$.state.input') AS input WHERE input.type = 'text') AS best)`;

const within = `(jsonb(message.data), '$.content') AS part WHERE part.key >= ? AND part.key < ?`;

/** `json_each` hands a part out as its text, which is what is measured; asking `jsonb_each` for it costs two copies more. */
const sizes = `(SELECT json_group_array(octet_length(
  CASE WHEN part.type IN ('object', 'array') THEN part.value ELSE json_quote(part.value) END)) FROM json_each${within})`;

/**
 * Each mention of `part.value` copies the part, so there are two of them: for its members and its label. A part
 * that is no tool has no input, and so no label. An element that is no object is no part: only its place is told.
 */
const parts = `(SELECT json_group_array(CASE part.type WHEN 'object' THEN json_array(part.key,
  json_extract(part.value, '$.type', '$.time.created', '$.id', '$.name', '$.state.status'), ${label})
  ELSE json_array(part.key) END) FROM jsonb_each${within})`;

const body = `CASE
  WHEN octet_length(message.data) > ${MAX_MESSAGE_BYTES} THEN '"too_large"'
  WHEN typeof(message.data) <> 'text' OR NOT json_valid(message.data) THEN '"malformed"'
  WHEN json_type(message.data, '$.content') IS NOT 'array' THEN '"malformed"'
  WHEN json_array_length(message.data, '$.content') > ${MAX_PARTS} THEN '"too_large"'
  ELSE json_extract(message.data, '$.time.created', '$.time.completed') || ',' ||
    json_array_length(message.data, '$.content') || ',' || ${sizes} || ',' || ${parts} END`;

/**
 * Assistant messages in order, each as JSON `[[id, seq, time_created, stored bytes], …]`, where `"too_large"` or
 * `"malformed"` follows, or `[created, completed], how many parts, [bytes of each part], [parts]`. A part is `[index,
 * [type, created, id, name, status], what its label is made from]`, or `[index]` where it is no object.
 * Parameters: twice the first part and the one after the last; session, first and last `seq`.
 */
export const OUTLINE_ROWS = `SELECT '[' ||
  json_array(message.id, message.seq, message.time_created, octet_length(message.data)) || ',' ||
  ${body} || ']' AS row
  FROM session_message AS message
  WHERE session_id = ? AND type = 'assistant' AND seq >= ? AND seq <= ?
  ORDER BY seq`;

/** Sizes of the assistant messages that come next, from record headers alone. Parameters: session, first and last `seq`, how many. */
export const OUTLINE_SIZES = `SELECT seq, octet_length(data) AS bytes
  FROM session_message WHERE session_id = ? AND type = 'assistant' AND seq >= ? AND seq <= ?
  ORDER BY seq LIMIT ?`;

export const NEWEST_ASSISTANT = `SELECT max(seq) AS seq FROM session_message WHERE session_id = ? AND type = 'assistant'`;
