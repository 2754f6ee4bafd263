import classes from "./skip-link.module.css";

/** The first stop of the keyboard: past head and navigation to the page. `target`: the id of its main part. */
export function SkipLink({ target }: { target: string }) {
  return (
    <a href={`#${target}`} className={classes.skip}>
      Skip to content
    </a>
  );
}
