import { Title } from "@mantine/core";
import type { Metadata } from "next";
import { Mark } from "#components/mark.tsx";
import { SignInForm } from "#components/sign-in-form.tsx";
import classes from "./sign-in.module.css";

export const metadata: Metadata = { title: "Sign in" };

export default function SignInPage() {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Mark size={30} />
          <Title order={1}>Sign in to Posthorn</Title>
        </div>
        <SignInForm />
        <p className={classes.help}>
          No account? An admin can make one for you. The first admin’s password was printed when Posthorn was
          started for the first time.
        </p>
      </div>
    </main>
  );
}
