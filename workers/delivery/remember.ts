/**
 * Keeps what was found out once, and gives it. With `max` things kept, all are forgotten first: so many are rare, and each
 * can be found out again.
 */
export function remember<K, V>(kept: Map<K, V>, max: number, key: K, value: V): V {
  if (kept.size >= max) kept.clear();
  kept.set(key, value);
  return value;
}
