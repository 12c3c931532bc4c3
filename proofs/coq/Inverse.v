(** Right and left inverses (paper 3.4.1, 3.4.3, model/inverse.py), by the closed forms, for modes in any order. *)
From Veritile Require Import Modes Coalesce.
From Veritile Require Complement.

(** Modes with the stride of their index: size, stride, index stride; and with a digit. *)
Notation imode := (Z * Z * Z)%type.
Notation entry := (imode * Z)%type.

Fixpoint indexed (w : Z) (A : modes) : list imode :=
  match A with [] => [] | (s, d) :: T => (s, d, w) :: indexed (w * s) T end.

Fixpoint offset_of (E : list entry) : Z := match E with [] => 0 | (_, d, _, c) :: E => d * c + offset_of E end.
Fixpoint index_of (E : list entry) : Z := match E with [] => 0 | (_, _, w, c) :: E => w * c + index_of E end.
Definition proper (E : list entry) : Prop := Forall (fun e => match e with (s, _, _, c) => 0 <= c < s end) E.

Lemma offset_perm E F : Permutation E F -> offset_of E = offset_of F.
Proof. induction 1 as [|[[[s d] w] c] ? ? ? IH|[[[s d] w] c] [[[s' d'] w'] c'] ?|]; cbn [offset_of index_of] in *; lia. Qed.

Lemma index_perm E F : Permutation E F -> index_of E = index_of F.
Proof. induction 1 as [|[[[s d] w] c] ? ? ? IH|[[[s d] w] c] [[[s' d'] w'] c'] ?|]; cbn [offset_of index_of] in *; lia. Qed.

Lemma proper_perm E F : Permutation E F -> proper E -> proper F.
Proof. intros H. apply Permutation_Forall, H. Qed.

(** Digits of an index, and the index of digits. *)
Lemma digits_exist A : forall w x, wf A -> 0 <= x < size A ->
  exists E, map fst E = indexed w A /\ proper E /\ offset_of E = value A x /\ index_of E = w * x.
Proof.
  induction A as [|[s d] T IH]; intros w x HA Hx.
  - exists []. cbn in *. repeat split; [constructor|]. replace x with 0 by lia. lia.
  - apply wf_cons in HA as [Hs HT]. cbn [size] in Hx. pose proof (div_in_bounds x s _ Hs Hx) as Hd.
    destruct (div_mod_eq x s Hs) as [E Hm]. destruct (IH (w * s) (x / s) HT Hd) as (F & F1 & F2 & F3 & F4).
    exists ((s, d, w, x mod s) :: F). cbn [map fst indexed]. rewrite F1. split; [reflexivity|].
    split; [constructor; assumption|]. cbn [offset_of index_of]. rewrite F3, F4.
    rewrite value_in by lia. split; [reflexivity|]. rewrite E at 3. lia.
Qed.

Lemma digits_index A : forall w E, wf A -> map fst E = indexed w A -> proper E ->
  exists x, 0 <= x < size A /\ index_of E = w * x /\ offset_of E = value A x.
Proof.
  induction A as [|[s d] T IH]; intros w E HA HE HP.
  - destruct E; [|discriminate]. exists 0. cbn. lia.
  - destruct E as [|[t c] E]; [discriminate|]. cbn [map indexed fst] in HE. injection HE as -> HE.
    apply wf_cons in HA as [Hs HT]. inversion_clear HP as [|? ? Hc HP'].
    destruct (IH (w * s) E HT HE HP') as (x & Hx & E1 & E2). exists (c + s * x). cbn [size].
    split; [now apply join_bounds|]. cbn [offset_of index_of]. rewrite E1, E2.
    rewrite value_digits by assumption. lia.
Qed.

(** Digits for some of the modes, the others 0. *)
Lemma extend (p : imode -> bool) I : forall F, Forall (fun t : imode => 1 <= fst (fst t)) I -> map fst F = filter p I -> proper F ->
  exists E, map fst E = I /\ proper E /\ offset_of E = offset_of F /\ index_of E = index_of F.
Proof.
  induction I as [|[[s d] w] I IH]; intros F HI HF HP.
  - destruct F; [|discriminate]. exists []. repeat split. constructor.
  - inversion_clear HI as [|? ? Hs HI']. cbn in Hs. cbn [filter] in HF. destruct (p (s, d, w)).
    + destruct F as [|[t c] F]; [discriminate|]. cbn [map fst] in HF. injection HF as -> HF.
      inversion_clear HP as [|? ? Hc HP']. destruct (IH F HI' HF HP') as (E & E1 & E2 & E3 & E4).
      exists ((s, d, w, c) :: E). cbn [map fst]. rewrite E1. split; [reflexivity|]. split; [constructor; assumption|].
      cbn in *. lia.
    + destruct (IH F HI' HF HP) as (E & E1 & E2 & E3 & E4). exists ((s, d, w, 0) :: E). cbn [map fst]. rewrite E1.
      split; [reflexivity|]. split; [constructor; [cbn; lia|assumption]|]. cbn in *. lia.
Qed.

Lemma indexed_sizes A : forall w, wf A -> Forall (fun t : imode => 1 <= fst (fst t)) (indexed w A).
Proof.
  induction A as [|[s d] T IH]; intros w H; [constructor|]. apply wf_cons in H as [Hs HT]. constructor; [exact Hs|auto].
Qed.

Fixpoint insert (m : imode) (l : list imode) : list imode :=
  match l with [] => [m] | n :: l' => if snd (fst m) <=? snd (fst n) then m :: l else n :: insert m l' end.

Definition sort (l : list imode) : list imode := fold_right insert [] l.

Lemma insert_perm m l : Permutation (insert m l) (m :: l).
Proof.
  induction l as [|n l IH]; [reflexivity|]. cbn. destruct (_ <=? _); [reflexivity|]. rewrite IH. apply perm_swap.
Qed.

Lemma sort_perm l : Permutation (sort l) l.
Proof. induction l as [|m l IH]; [reflexivity|]. cbn. rewrite insert_perm. now constructor. Qed.

(** A stride other than 0, on a mode of more than one element. *)
Definition is_live (t : imode) : bool := match t with (s, d, _) => (1 <? s) && negb (d =? 0) end.

Definition live (A : modes) : list imode := sort (filter is_live (indexed 1 A)).

(** Digits of the live modes make an index of A with their offset. *)
Lemma live_index A F : wf A -> map fst F = live A -> proper F ->
  0 <= index_of F < size A /\ value A (index_of F) = offset_of F.
Proof.
  intros HA HF HP. pose proof (sort_perm (filter is_live (indexed 1 A))) as P. fold (live A) in P. rewrite <- HF in P.
  apply Permutation_sym, Permutation_map_inv in P as (F' & EF & P).
  destruct (extend is_live (indexed 1 A) F' (indexed_sizes A 1 HA) (eq_sym EF) (proper_perm _ _ P HP)) as (E & E1 & E2 & E3 & E4).
  destruct (digits_index A 1 E HA E1 E2) as (x & Hx & I & O).
  assert (Ix : index_of F = x) by (rewrite (index_perm _ _ P); lia). rewrite Ix. split; [assumption|].
  rewrite (offset_perm _ _ P). lia.
Qed.

(** Each index has digits of the live modes with its offset. *)
Lemma live_digits A x : wf A -> 0 <= x < size A -> exists F, map fst F = live A /\ proper F /\ offset_of F = value A x.
Proof.
  intros HA Hx. destruct (digits_exist A 1 x HA Hx) as (E & E1 & E2 & E3 & _).
  set (q := fun e : entry => is_live (fst e)).
  assert (G : map fst (filter q E) = filter is_live (map fst E) /\ proper (filter q E) /\ offset_of (filter q E) = offset_of E).
  { clear E1 E3. induction E as [|[[[s d] w] c] E IH]; [repeat split; constructor|]. inversion_clear E2 as [|? ? Hc HE].
    destruct (IH HE) as (G1 & G2 & G3). cbn [filter map fst].
    change (q (s, d, w, c)) with (is_live (s, d, w)).
    destruct (is_live (s, d, w)) eqn:L.
    - cbn [map fst]. rewrite G1. split; [reflexivity|]. split; [constructor; assumption|]. cbn in *. lia.
    - split; [assumption|]. split; [assumption|]. cbn [is_live offset_of] in L |- *. rewrite G3.
      apply andb_false_iff in L as [L|L]; [apply Z.ltb_ge in L; assert (c = 0) as -> by lia; lia|]. apply negb_false_iff, Z.eqb_eq in L. subst d. lia. }
  destruct G as (G1 & G2 & G3). rewrite E1 in G1.
  pose proof (sort_perm (filter is_live (indexed 1 A))) as P. fold (live A) in P. rewrite <- G1 in P.
  apply Permutation_map_inv in P as (F & EF & P). exists F. split; [now symmetry|].
  split; [eapply proper_perm; eassumption|]. rewrite <- (offset_perm _ _ P). lia.
Qed.

(** * Right inverse *)

(** The modes that continue one another from p on, in ascending order of stride, and how far they reach. *)
Fixpoint pick (p : Z) (L : list imode) : modes * Z :=
  match L with
  | [] => ([], p)
  | (s, d, w) :: L => if d =? p then let (R, r) := pick (p * s) L in ((s, w) :: R, r) else pick p L
  end.

Definition right_inverse (A : modes) : option modes :=
  let (R, reached) := pick 1 (live A) in
  if existsb (fun x => value A x =? reached) (range (size A)) then None else Some (coalesce R).

Lemma pick_ok L : forall p, Forall (fun t : imode => 1 <= fst (fst t)) L -> 1 <= p ->
  let (R, r) := pick p L in wf R /\ r = p * size R /\
  forall y, 0 <= y < size R -> exists F, map fst F = L /\ proper F /\ offset_of F = p * y /\ index_of F = value R y.
Proof.
  induction L as [|[[s d] w] L IH]; intros p HL Hp; cbn [pick].
  - split; [constructor|]. split; [cbn; lia|]. intros y Hy. exists []. cbn in *. repeat split; [constructor|lia].
  - inversion_clear HL as [|? ? Hs HL']. cbn in Hs. destruct (Z.eqb_spec d p) as [->|N].
    + specialize (IH (p * s) HL' ltac:(nia)). destruct (pick (p * s) L) as [R r]. destruct IH as (W & Er & IH).
      split; [apply wf_cons; auto|]. split; [cbn [size]; lia|]. intros y Hy. cbn [size] in Hy.
      pose proof (div_in_bounds y s _ Hs Hy) as Hd. destruct (div_mod_eq y s Hs) as [E Hm].
      destruct (IH (y / s) Hd) as (F & F1 & F2 & F3 & F4). exists ((s, p, w, y mod s) :: F). cbn [map fst]. rewrite F1.
      split; [reflexivity|]. split; [constructor; assumption|]. cbn [offset_of index_of].
      rewrite F3, F4, value_in by lia. split; [|reflexivity]. rewrite E at 3. lia.
    + specialize (IH p HL' Hp). destruct (pick p L) as [R r]. destruct IH as (W & Er & IH).
      split; [assumption|]. split; [assumption|]. intros y Hy. destruct (IH y Hy) as (F & F1 & F2 & F3 & F4).
      exists ((s, d, w, 0) :: F). cbn [map fst]. rewrite F1. split; [reflexivity|].
      split; [constructor; [cbn; lia|assumption]|]. cbn in *. lia.
Qed.

Lemma live_sizes A : wf A -> Forall (fun t : imode => 1 <= fst (fst t)) (live A).
Proof.
  intros HA. eapply Permutation_Forall; [symmetry; apply sort_perm|]. apply Forall_forall. intros t Ht.
  apply filter_In in Ht as [Ht _]. pose proof (indexed_sizes A 1 HA) as H. rewrite Forall_forall in H. auto.
Qed.

(** R takes each k below its size to an index of A with the offset k. *)
Definition is_right_inverse (A R : modes) : Prop :=
  wf R /\ forall k, 0 <= k < size R -> 0 <= value R k < size A /\ value A (value R k) = k.

(** What is found is a right inverse, and none is larger. *)
Theorem right_inverse_sound A R : wf A -> right_inverse A = Some R ->
  is_right_inverse A R /\ forall R', is_right_inverse A R' -> size R' <= size R.
Proof.
  unfold right_inverse. intros HA. pose proof (pick_ok (live A) 1 (live_sizes A HA) ltac:(lia)) as H.
  destruct (pick 1 (live A)) as [Q r]. destruct H as (W & Er & H). destruct (existsb _ _) eqn:X; [discriminate|].
  intros [= <-]. destruct (coalesce_correct Q W) as [_ [ES EV]]. split.
  - split; [now apply coalesce_wf|]. intros k Hk. rewrite EV by assumption.
    destruct (H k ltac:(lia)) as (F & F1 & F2 & F3 & F4). destruct (live_index A F HA F1 F2) as [I O].
    rewrite <- F4. split; [assumption|]. lia.
  - intros R' [_ H']. destruct (Z_le_gt_dec (size R') (size (coalesce Q))) as [|G]; [assumption|]. exfalso.
    destruct (H' r) as [B V]; [pose proof (size_pos Q W); lia|].
    assert (T : existsb (fun x => value A x =? r) (range (size A)) = true); [|congruence].
    apply existsb_exists. exists (value R' r). split; [now apply in_range|]. now apply Z.eqb_eq.
Qed.

(** Sorted by stride. *)
Fixpoint sorted (l : list imode) : Prop :=
  match l with [] => True | t :: l => Forall (fun u : imode => snd (fst t) <= snd (fst u)) l /\ sorted l end.

Lemma sort_sorted l : sorted (sort l).
Proof.
  induction l as [|m l IH]; [exact I|]. change (sort (m :: l)) with (insert m (sort l)). revert IH. generalize (sort l) as k.
  induction k as [|n k IHk]; intros H; [split; [constructor|exact I]|]. cbn [insert]. destruct H as [H1 H2].
  destruct (Z.leb_spec (snd (fst m)) (snd (fst n))).
  - split; [|split; assumption]. constructor; [assumption|]. eapply Forall_impl; [|exact H1]. cbn. intros; lia.
  - split; [|auto]. eapply Permutation_Forall; [symmetry; apply insert_perm|]. constructor; [lia|assumption].
Qed.

Definition modes_of (L : list imode) : modes := map fst L.

Lemma above_image M p : wf M -> 1 <= p -> Forall (fun m : mode => p < snd m) M -> forall u, In u (image M) -> u = 0 \/ p < u.
Proof.
  induction M as [|[s d] M IH]; intros HW Hp H u Hu; [rewrite image_nil in Hu; destruct Hu as [<-|[]]; now left|].
  apply wf_cons in HW as [Hs HW]. inversion_clear H as [|? ? Hd HM]. cbn in Hd. rewrite image_cons in Hu by assumption.
  apply in_sums in Hu as (x & v & Hx & Hv & ->). unfold steps in Hx. apply in_map_iff in Hx as (i & <- & Hi).
  apply in_range in Hi. cbn [fst snd] in *. destruct (IH HW Hp HM v Hv) as [E|E]; destruct (Z.eq_dec i 0) as [->|];
    [left; lia|right; nia|right; lia|right; nia].
Qed.

Lemma pick_above L p : Forall (fun t : imode => p < snd (fst t)) L -> pick p L = ([], p).
Proof.
  induction 1 as [|[[s d] w] L Hd HL IH]; [reflexivity|]. cbn in Hd. cbn [pick]. destruct (Z.eqb_spec d p); [lia|exact IH].
Qed.

Lemma range_steps p s : 1 <= p -> 0 <= s -> sums (range p) (steps (s, p)) = range (p * s).
Proof.
  intros Hp Hs. rewrite range_mul by lia. unfold steps. cbn [fst snd]. generalize (range s) as l.
  induction l as [|j l IH]; [reflexivity|]. cbn [map flat_map]. now rewrite sums_cons_r, IH.
Qed.

(** Where the modes are one-to-one, what is picked ends where no offset is. *)
Lemma pick_gap L : forall p, Forall (fun t : imode => 2 <= fst (fst t) /\ 1 <= snd (fst t)) L -> sorted L -> 1 <= p ->
  NoDup (sums (range p) (image (modes_of L))) -> ~ In (snd (pick p L)) (sums (range p) (image (modes_of L))).
Proof.
  induction L as [|[[s d] w] L IH]; intros p HL HS Hp ND.
  - cbn [modes_of map pick snd]. rewrite image_nil, sums_0_r, in_range. lia.
  - destruct HS as [H1 HS]. inversion_clear HL as [|? ? Hs HL']. cbn in Hs, H1. destruct Hs as [Hs Hd].
    assert (W : wf (modes_of L)).
    { apply Forall_forall. intros m Hm. apply in_map_iff in Hm as (t & <- & Ht). rewrite Forall_forall in HL'.
      specialize (HL' t Ht). lia. }
    assert (EI : image (modes_of ((s, d, w) :: L)) = sums (steps (s, d)) (image (modes_of L))).
    { change (modes_of ((s, d, w) :: L)) with ((s, d) :: modes_of L). apply image_cons; [lia|assumption]. }
    rewrite EI in *. cbn [pick]. destruct (Z.eqb_spec d p) as [->|N].
    + rewrite <- sums_assoc, range_steps in * by lia. specialize (IH (p * s) HL' HS ltac:(nia) ND).
      destruct (pick (p * s) L) as [R r]. exact IH.
    + destruct (Z_lt_le_dec d p) as [L1|L1].
      * exfalso. assert (S : forall i, 0 <= i < s -> In (d * i) (sums (steps (s, d)) (image (modes_of L)))).
        { intros i Hi. apply in_sums. exists (d * i), 0. split; [|split; [now apply image_0|lia]].
          unfold steps. apply in_map_iff. exists i. split; [reflexivity|]. now apply in_range. }
        destruct (sums_unique _ _ ND d (d * 0) 0 (d * 1)); [apply in_range; lia|apply S; lia|apply in_range; lia|apply S; lia|lia|lia].
      * assert (A : Forall (fun t : imode => p < snd (fst t)) ((s, d, w) :: L)).
        { constructor; [cbn; lia|]. eapply Forall_impl; [|exact H1]. cbn. intros; lia. }
        assert (E : pick p L = ([], p)) by (apply pick_above; now inversion_clear A). rewrite E. cbn [snd].
        intros Hin. apply in_sums in Hin as (x & u & Hx & Hu & Eq). apply in_range in Hx. rewrite <- EI in Hu.
        destruct (above_image (modes_of ((s, d, w) :: L)) p) with (u := u) as [Z0|Z0]; try lia; try assumption.
        -- apply wf_cons. split; [lia|assumption].
        -- unfold modes_of. apply Forall_map. exact A.
Qed.

Lemma modes_of_indexed A : forall w, map fst (filter is_live (indexed w A)) = filter (fun m : mode => (1 <? fst m) && negb (snd m =? 0)) A.
Proof.
  induction A as [|[s d] T IH]; intros w; [reflexivity|]. cbn [indexed filter is_live fst snd].
  destruct ((1 <? s) && negb (d =? 0)); cbn [map fst]; now rewrite IH.
Qed.

(** The closed form decides wherever A is one-to-one without negative strides. *)
Theorem right_inverse_total A : wf A -> Forall (fun m : mode => 0 <= snd m) A -> NoDup (image A) ->
  exists R, right_inverse A = Some R.
Proof.
  intros HA HP ND. unfold right_inverse. destruct (pick 1 (live A)) as [Q r] eqn:EQ.
  destruct (existsb (fun x => value A x =? r) (range (size A))) eqn:X; [|eexists; reflexivity]. exfalso.
  apply existsb_exists in X as (x & Hx & Ex). apply in_range in Hx. apply Z.eqb_eq in Ex.
  assert (P : Permutation (modes_of (live A)) (filter (fun m : mode => (1 <? fst m) && negb (snd m =? 0)) A)).
  { rewrite <- (modes_of_indexed A 1). apply Permutation_map, sort_perm. }
  (* a mode of stride 0 and more than one element is not one-to-one *)
  assert (EF : filter (fun m : mode => (1 <? fst m) && negb (snd m =? 0)) A = filter (fun m : mode => 1 <? fst m) A).
  { clear -HA ND. induction A as [|[s d] T IH]; [reflexivity|]. apply wf_cons in HA as [Hs HT]. cbn [filter fst snd].
    rewrite image_cons in ND by assumption.
    rewrite IH; [|assumption|].
    - destruct (Z.ltb_spec 1 s); [|reflexivity]. destruct (Z.eqb_spec d 0) as [->|]; [|reflexivity]. exfalso.
      apply nodup_sums_l in ND; [|intros E; pose proof (image_0 T HT) as H0; rewrite E in H0; contradiction].
      unfold steps in ND. cbn [fst snd] in ND. assert (0 = 1); [|lia].
      apply (nodup_map_inj (Z.mul 0) (range s) ND); [apply in_range; lia..|reflexivity].
    - eapply Permutation_NoDup in ND; [|apply sums_comm]. apply nodup_sums_l in ND; [assumption|].
      unfold steps. cbn [fst snd]. intros E. assert (H0 : In 0 (range s)) by (apply in_range; lia).
      apply map_eq_nil in E. rewrite E in H0. contradiction. }
  rewrite EF in P. assert (WL : wf (modes_of (live A))).
  { apply (wf_perm (filter (fun m : mode => 1 <? fst m) A)); [now symmetry|]. now apply Complement.filter_wf. }
  assert (PI : Permutation (image (modes_of (live A))) (image A)).
  { rewrite <- (Complement.filter_image A HA). now apply image_perm. }
  apply (pick_gap (live A) 1); [|apply sort_sorted|lia| |].
  - apply Forall_forall. intros t Ht. assert (Hm : In (fst t) (filter (fun m : mode => 1 <? fst m) A)).
    { eapply Permutation_in; [exact P|]. now apply in_map. }
    rewrite <- EF in Hm. apply filter_In in Hm as [Hm L]. apply andb_true_iff in L as [L1 L2]. apply Z.ltb_lt in L1.
    apply negb_true_iff, Z.eqb_neq in L2. rewrite Forall_forall in HP. specialize (HP _ Hm). lia.
  - rewrite range_1, sums_0_l. eapply Permutation_NoDup; [symmetry; exact PI|exact ND].
  - rewrite range_1, sums_0_l, EQ. cbn [snd]. eapply Permutation_in; [symmetry; exact PI|]. apply in_image. exists x. auto.
Qed.

(** * Left inverse *)

(** Modes (d'/d : w) where each stride d divides the next d' and the mode fits between. *)
Fixpoint left_chain (L : list imode) : option modes :=
  match L with
  | [] => Some []
  | (s, d, w) :: L =>
      match L with
      | [] => Some [(s, w)]
      | (_, d', _) :: _ =>
          if (d' mod d =? 0) && (s <=? d' / d) then option_map (cons (d' / d, w)) (left_chain L) else None
      end
  end.

Definition left_inverse (A : modes) : option modes :=
  match live A with
  | [] => Some []
  | (_, d, _) :: _ =>
      if d <? 1 then None
      else option_map (fun M => coalesce ((if 1 <? d then [(d, 0)] else []) ++ M)) (left_chain (live A))
  end.

Lemma left_chain_ok L : forall M, Forall (fun t : imode => 1 <= fst (fst t)) L -> left_chain L = Some M ->
  match L with [] => False | (_, d, _) :: _ => 1 <= d end ->
  wf M /\ match L with [] => False | (_, d, _) :: _ =>
    forall F, map fst F = L -> proper F -> exists y, 0 <= y < size M /\ offset_of F = d * y /\ value M y = index_of F end.
Proof.
  induction L as [|[[s d] w] L IH]; intros M HL H Hd; [contradiction|]. inversion_clear HL as [|? ? Hs HL']. cbn in Hs.
  destruct L as [|[[s' d'] w'] L].
  - injection H as <-. split; [repeat constructor; exact Hs|]. intros F HF HP.
    destruct F as [|[t c] [|? ?]]; try discriminate. cbn [map fst] in HF. injection HF as ->.
    inversion_clear HP as [|? ? Hc _]. exists c. cbn. lia.
  - change (left_chain ((s, d, w) :: (s', d', w') :: L)) with (if (d' mod d =? 0) && (s <=? d' / d)
      then option_map (cons (d' / d, w)) (left_chain ((s', d', w') :: L)) else None) in H.
    destruct (Z.eqb_spec (d' mod d) 0) as [E|]; [|discriminate]. destruct (Z.leb_spec s (d' / d)) as [G|]; [|discriminate].
    cbn [andb] in H. destruct (left_chain ((s', d', w') :: L)) as [M'|] eqn:EM; [|discriminate]. injection H as <-.
    pose proof (Z.div_mod d' d ltac:(lia)) as D. rewrite E, Z.add_0_r in D. set (g := d' / d) in *.
    destruct (IH M' HL' eq_refl ltac:(nia)) as [W I]. split; [apply wf_cons; split; [lia|assumption]|].
    intros F HF HP. destruct F as [|[t c] F]; [discriminate|]. cbn [map fst] in HF. injection HF as -> HF.
    inversion_clear HP as [|? ? Hc HP']. destruct (I F HF HP') as (y & Hy & O & V).
    exists (c + g * y). cbn [size]. split; [apply join_bounds; lia|]. cbn [offset_of index_of].
    rewrite O. split; [rewrite D; lia|]. rewrite value_digits by (assumption || lia). rewrite V. reflexivity.
Qed.

(** L(R(L(c))) = L(c) with R(L(c)) an index; where L is one-to-one, R(L(c)) = c. *)
Theorem left_inverse_sound A R : wf A -> left_inverse A = Some R -> forall c, 0 <= c < size A ->
  0 <= value R (value A c) < size A /\ value A (value R (value A c)) = value A c
  /\ (NoDup (image A) -> value R (value A c) = c).
Proof.
  intros HA HR c Hc.
  assert (G : 0 <= value R (value A c) < size A /\ value A (value R (value A c)) = value A c).
  { destruct (live_digits A c HA Hc) as (F & F1 & F2 & F3). destruct (live_index A F HA F1 F2) as [I O].
    assert (K : value R (value A c) = index_of F); [|rewrite K; split; [assumption|lia]].
    unfold left_inverse in HR. pose proof (live_sizes A HA) as HS. pose proof (left_chain_ok (live A)) as LC.
    destruct (live A) as [|[[s d] w] L].
    - injection HR as <-. destruct F; [reflexivity|discriminate].
    - destruct (Z.ltb_spec d 1); [discriminate|].
      destruct (left_chain ((s, d, w) :: L)) as [M|] eqn:EM; [|discriminate]. injection HR as <-.
      destruct (LC M HS eq_refl ltac:(lia)) as [W Y]. destruct (Y F F1 F2) as (y & Hy & O' & V). rewrite <- F3, O'.
      assert (WA : wf ((if 1 <? d then [(d, 0)] else []) ++ M)).
      { apply wf_app. split; [|assumption]. destruct (Z.ltb_spec 1 d); [repeat constructor; cbn; lia|constructor]. }
      destruct (coalesce_correct _ WA) as [_ [ES EV]]. rewrite <- V. destruct (Z.ltb_spec 1 d).
      + cbn [app] in *. replace (d * y) with (0 + d * y) by lia. rewrite EV.
        * rewrite value_digits by (assumption || lia). lia.
        * rewrite ES. cbn [size]. apply join_bounds; lia.
      + cbn [app] in *. assert (d = 1) as -> by lia. rewrite Z.mul_1_l. apply EV. lia. }
  destruct G as [G1 G2]. split; [assumption|]. split; [assumption|]. intros ND.
  apply (nodup_map_inj (value A) (range (size A)) ND); [now apply in_range|now apply in_range|assumption].
Qed.
