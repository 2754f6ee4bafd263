import { Text, Title } from "@mantine/core";
import { BodyView } from "../delivery/body-view.tsx";
import { Moment } from "../time.tsx";
import classes from "./payload.module.css";

/** The event letter for letter, as it is stored and as every endpoint gets it. */
export function Payload({ text, expungedAt }: { text: string; expungedAt: string | undefined }) {
  return (
    <section>
      <Title order={2} mb={4}>
        Payload
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {expungedAt ? (
          <>
            Its data was expunged at <Moment at={expungedAt} />; this is what remains.
          </>
        ) : (
          "The stored text, and the body of every delivery."
        )}
      </Text>
      <div className={classes.frame}>
        <BodyView title="Event" body={text} startsPretty />
      </div>
    </section>
  );
}
