const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A condition that `column` lies between the least and the greatest of `ids`, with both spelled out: of a table that is
 * partitioned by it no other partition is planned or opened. There must be at least one id; throws a TypeError for what is none.
 */
export function idsBetween(column: string, ids: readonly string[]): string {
  let [least = "", greatest = ""] = [ids[0], ids[0]];
  for (const id of ids) {
    if (id < least) least = id;
    else if (id > greatest) greatest = id;
  }
  for (const id of [least, greatest])
    if (!UUID.test(id)) throw new TypeError("An id is a UUID in lower case.");
  return `${column} between '${least}' and '${greatest}'`;
}
