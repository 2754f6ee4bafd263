import { Title } from "@mantine/core";
import type { Metadata } from "next";
import { InvitationForm } from "#components/invitation-form.tsx";
import { Mark } from "#components/mark.tsx";
import classes from "../sign-in/sign-in.module.css";

export const metadata: Metadata = { title: "Set your password" };

export default function InvitationPage() {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Mark size={30} />
          <Title order={1}>Set your password</Title>
        </div>
        <InvitationForm />
      </div>
    </main>
  );
}
