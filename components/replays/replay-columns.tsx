import { type EndpointsById, partsOfUrl } from "#client/endpoints.ts";
import { creatorWords, kindOf } from "#client/replays.ts";
import type { Replay } from "#contracts/replays.ts";
import type { Column } from "../data-table.tsx";
import { Ago } from "../time.tsx";
import { ProgressBar } from "./progress-bar.tsx";
import classes from "./replay-columns.module.css";
import { ReplayStatusMark } from "./replay-status.tsx";

/** The columns of the list of replays. */
export const replayColumns = (endpoints: EndpointsById): readonly [Column<Replay>, ...Column<Replay>[]] => [
  { name: "Replay", cell: (replay) => kindOf(replay) },
  {
    name: "Endpoint",
    width: "17%",
    hide: "narrow",
    cell: ({ endpoint_id }) => <EndpointName url={endpoints.get(endpoint_id)?.url} id={endpoint_id} />,
  },
  { name: "Status", width: "7.5rem", cell: ({ status }) => <ReplayStatusMark status={status} /> },
  {
    name: "Progress",
    width: "28%",
    cell: (replay) => (
      <div className={classes.progress}>
        <ProgressBar replay={replay} />
        <span className={classes.count}>
          {replay.done.toLocaleString("en")} of {replay.total.toLocaleString("en")}
        </span>
      </div>
    ),
  },
  {
    name: "Made by",
    width: "16%",
    hide: "medium",
    cell: (replay) => <span title={creatorWords(replay)}>{creatorWords(replay)}</span>,
  },
  {
    name: "Created",
    width: "6.75rem",
    align: "right",
    hide: "narrow",
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
];

function EndpointName({ url, id }: { url: string | undefined; id: string }) {
  const { host, path } = partsOfUrl(url ?? id);
  return (
    <span title={url}>
      {host}
      <span className={classes.aside}>{path}</span>
    </span>
  );
}
